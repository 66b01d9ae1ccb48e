// The status before and the verdict after in → episodes, incidents, and alerts worth sending, out. Pure.
export { advanceEpisodes, markCorrected } from './advance-episodes.ts';
export { advanceIncidents } from './advance-incidents.ts';
export { cloudEvent } from './cloud-event.ts';
