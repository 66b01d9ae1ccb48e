/** What is told where there are destinations and nobody says what, written as in a file. */
export const defaultAlerts = {
  rules: [
    { name: 'drift', match: { cause: ['live-changed', 'both'] }, for: '5m' },
    { name: 'blind', match: { status: ['Unknown'] }, for: '15m', severity: 'critical' },
    { name: 'contested', match: { status: ['Contested'] }, for: '5m', severity: 'critical' },
  ],
} as const;
