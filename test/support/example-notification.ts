// Notifications as the core of alerting makes them.
import type { AlertedApplication, AlertedResource, Notification } from '../../src/model/index.ts';

export const exampleResource: AlertedResource = {
  group: 'apps',
  kind: 'Deployment',
  namespace: 'prod',
  name: 'checkout',
  change: 'changed',
  cause: 'live-changed',
  since: '2026-11-16T10:40:12Z',
  by: 'kubectl',
  fields: [{ path: '/spec/replicas', display: 'spec.replicas', desired: 3, live: 5, actor: { manager: 'kubectl', operation: 'Update', subresource: 'scale' } }],
  patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
};

export const exampleSubject: AlertedApplication = {
  alert: { id: 'drf_01JC8Z9K7Q0000000000000001', fingerprint: '9f2c41d07b6a', startedAt: '2026-11-16T10:40:12Z', endedAt: null },
  application: { namespace: 'prod', name: 'checkout', labels: { team: 'payments' } },
  cause: 'live-changed',
  revision: { repo: 'https://git.example.com/shop/deploy.git', ref: 'refs/heads/main', sha: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', path: 'apps/checkout' },
  resources: [exampleResource],
  truncatedResources: 0,
};

export function exampleNotification(changes: Partial<Notification> = {}): Notification {
  return {
    id: 'evt_01JC8Z9K7Q0000000000000000',
    type: 'drift.firing',
    at: '2026-11-16T10:46:12Z',
    rule: { name: 'drift', severity: 'warning' },
    cluster: 'prod-eu-1',
    subjects: [exampleSubject],
    truncatedSubjects: 0,
    ...changes,
  };
}

export function resolvedNotification(changes: Partial<Notification> = {}): Notification {
  const subject = { ...exampleSubject, alert: { ...exampleSubject.alert, endedAt: '2026-11-16T10:52:12Z' } };
  return exampleNotification({ id: 'evt_01JC8Z9K7Q0000000000000002', type: 'drift.resolved', at: '2026-11-16T10:52:12Z', subjects: [subject], ...changes });
}

/** As when half of a cluster was changed at once: `count` applications of it, and 500 in all. */
export function digestNotification(count = 20): Notification {
  const subjects = Array.from({ length: count }, (_, at) => ({
    ...exampleSubject,
    alert: { ...exampleSubject.alert, id: `drf_01JC8Z9K7Q00000000000001${String(at).padStart(2, '0')}` },
    application: { ...exampleSubject.application, name: `shop-${at}` },
  }));
  return exampleNotification({ subjects, truncatedSubjects: 500 - count });
}

const pieces = ['<!channel>', '<!here|here>', '<@U012345>', '@everyone', '@here', '<@&42>', '|', '>', '*b*', '_i_', '~s~', '`c`', '```f```', '[x](https://evil.example)', '‮txt.exe', '\u0000\u001b[31m', '&amp;', '"', '\r\nBcc: a@example.com', '{{ 7 | times: 6 }}'];
export const hostileText = pieces.join(' ');

/** All that a name, a value or a label could hold, and far too much of it. */
export function hostileNotification(): Notification {
  const long = 'x'.repeat(100_000);
  const resource = (at: number): AlertedResource => ({
    ...exampleResource,
    kind: at % 2 === 0 ? hostileText : 'ConfigMap',
    namespace: hostileText,
    name: `${hostileText}${at}`,
    by: hostileText,
    fields: [
      { path: `/data/${hostileText}`, display: hostileText, desired: hostileText, live: long },
      { display: long, desired: { [hostileText]: [hostileText, long] }, live: hostileText, actor: { manager: hostileText, operation: hostileText, subresource: hostileText } },
    ],
    patch: [{ op: 'replace', path: `/data/${hostileText}`, value: long }],
  });
  const few = Array.from({ length: 20 }, (_, at) => resource(at));
  const many = Array.from({ length: 9_980 }, (_, at) => ({ ...exampleResource, name: `${hostileText}${at}` }));
  const subject: AlertedApplication = {
    ...exampleSubject,
    application: { namespace: hostileText, name: hostileText, labels: { [hostileText]: hostileText } },
    message: hostileText + long,
    resources: [...few, ...many],
  };
  return exampleNotification({ rule: { name: hostileText, severity: 'critical' }, cluster: hostileText, subjects: [subject] });
}
