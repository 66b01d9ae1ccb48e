// Mistakes that somebody could make, put in on purpose.
import type { DeliveryQueue, DispatchPorts } from '../../src/dispatch/index.ts';
import type { AppStatus, Claim, Delivery, Destination } from '../../src/model/index.ts';
import type { Spoils } from './agent/spoils.ts';

type Send = Destination['send'];

/** A key that is wanted while it is worked on is not worked on once more. */
const forgetsWishes: Spoils = {
  queue(queue) {
    const underWay = new Set<string>();
    return {
      ...queue,
      add: (key, options) => (underWay.has(key) ? Promise.resolve() : queue.add(key, options)),
      start: (handler) =>
        queue.start(async (key, signal) => {
          underWay.add(key);
          try {
            await handler(key, signal);
          } finally {
            underWay.delete(key);
          }
        }),
    };
  },
};

/** What is about to be healed is recorded when it is healed, and not before. */
const recordsLate: Spoils = {
  status: (status) => ({
    ...status,
    async update(id, change, uid) {
      const after = change(await status.read(id));
      return isAboutToAct(after) ? after : status.update(id, change, uid);
    },
  }),
};

const writesWithoutAsking: Spoils = { mayWrite: () => () => undefined };

/** Who has failed to ask Git once does not ask again. */
const givesUpOnGit: Spoils = {
  references(options) {
    let hasFailed = false;
    return {
      ...options,
      resolve: (reference, signal) =>
        options.resolve(reference, signal).catch((error: unknown) => {
          hasFailed = true;
          throw error;
        }),
      setTimer: (callback, delayMs) => (hasFailed ? () => undefined : options.setTimer(callback, delayMs)),
    };
  },
};

/** What is not known to differ is taken to be as it should. */
const closesWhatIsUnknown: Spoils = {
  status: (status) => ({
    ...status,
    update: (id, change, uid) =>
      status.update(id, (before) => {
        const after = change(before);
        if (after.verdict?.status !== 'Unknown') return after;
        return { ...after, episodes: after.episodes.map((episode) => ({ ...episode, closedAt: episode.closedAt ?? after.checkedAt })) };
      }, uid),
  }),
};

/** What is recorded of a look, changed a little. */
const recording = (spoil: (after: AppStatus, before: AppStatus) => AppStatus): Spoils => ({
  status: (status) => ({ ...status, update: (id, change, uid) => status.update(id, (before) => spoil(change(before), before), uid) }),
});

/** A sync is on record when it is over. */
const recordsEnds = recording((after, before) => (isUnderWay(after) ? { ...after, operation: before.operation } : after));

/** A sync is said to be over when it begins. */
const endsEarly: Spoils = {
  status: (status) => ({
    ...status,
    async update(id, change, uid) {
      let meant: AppStatus | undefined;
      const written = await status.update(id, (before) => {
        meant = change(before);
        return ended(meant);
      }, uid);
      return meant ?? written;
    },
  }),
};

const neverEnds = recording((after) => {
  if (after.operation === null || isUnderWay(after)) return after;
  const { endedAt: _endedAt, ...operation } = after.operation;
  return { ...after, operation: { ...operation, state: 'running' } };
});

const answersNobody = recording((after, { answered }) => ({ ...after, answered }));

/** What is about to be made is not on record before. */
const intendsNothing = recording((after) => ({ ...after, inventory: Object.fromEntries(Object.entries(after.inventory).filter(([, { uid }]) => uid !== '')) }));

const keepsNoInventory = recording((after, { inventory }) => ({ ...after, inventory }));

const leavesOutMarks: Spoils = {
  cluster: (cluster) => ({
    ...cluster,
    applyPerField({ manifest, kind }, options) {
      const { annotations: _annotations, ...metadata } = manifest.object.metadata;
      return cluster.applyPerField({ kind, manifest: { ...manifest, object: { ...manifest.object, metadata: { ...metadata, name: manifest.object.metadata.name } } } }, options);
    },
  }),
};

/** What is about to be sent is on record when it was sent, and not before. */
const claimsLate: Spoils = {
  dispatch(ports) {
    const { store } = ports;
    const meant = new Map<string, (current: AppStatus) => AppStatus>();
    const withMeant = (id: string, status: AppStatus): AppStatus => meant.get(id)?.(status) ?? status;
    return {
      ...ports,
      store: {
        read: async (id) => withMeant(id, await store.read(id)),
        async update(id, change) {
          const before = withMeant(id, await store.read(id));
          const after = change(before);
          if (claimsIn(after).length <= claimsIn(before).length) {
            meant.delete(id);
            return store.update(id, () => after);
          }
          meant.set(id, (current) => ({ ...current, alerts: after.alerts }));
          return after;
        },
      },
    };
  },
};

/** What is sent, changed a little. */
const sending = (spoil: (send: Send) => Send): Spoils => ({
  dispatch: (ports) => ({
    ...ports,
    destinations: new Map([...ports.destinations].map(([name, destination]) => [name, { ...destination, send: spoil((notification, signal) => destination.send(notification, signal)) }])),
  }),
});

/** It is recorded as sent, and then it is sent. */
const sendsLate = sending((send) => async (notification, signal) => {
  send(notification, signal).catch(() => undefined);
  return { type: 'sent' };
});

const keepsEndsToItself = sending((send) => async (notification, signal) => (notification.type === 'drift.resolved' ? { type: 'sent' } : send(notification, signal)));

/** What is tried once more gets another id, on record and all. */
const renames: Spoils = {
  dispatch: (ports) => ({
    ...ports,
    store: {
      ...ports.store,
      update: (id, change) =>
        ports.store.update(id, (before) => {
          const after = change(before);
          return { ...after, ...renamed(after, claimsIn(before)) };
        }),
    },
  }),
};

/** What waits to be sent, changed a little. */
const queueing = (spoil: (queue: DeliveryQueue, ports: DispatchPorts) => DeliveryQueue): Spoils => ({
  dispatch: (ports) => ({ ...ports, queues: new Map([...ports.queues].map(([name, queue]) => [name, spoil(queue, ports)])) }),
});

/** What was put into the queue is taken to be there until it is worked on. */
const neverSweeps = queueing((queue) => {
  const queued = new Set<string>();
  return {
    ...queue,
    async add(key) {
      if (queued.has(key)) return;
      queued.add(key);
      await queue.add(key);
    },
    start: (handler) =>
      queue.start(async (key, signal) => {
        queued.delete(key);
        await handler(key, signal);
      }),
  };
});

/** A term sends what it has claimed itself. */
const leavesOldClaims = queueing((queue, { newId }) => {
  const term = newId().replace(/\d+$/, '');
  return { ...queue, add: (key) => (key.startsWith(`evt_${term}`) ? queue.add(key) : Promise.resolve()) };
});

const tellsWithoutAsking: Spoils = { dispatch: (ports) => ({ ...ports, mayWrite: () => undefined }) };

interface Mutation {
  readonly spoils: Spoils;
  readonly says: RegExp;
}

export const mutations: Readonly<Record<string, Mutation>> = {
  'a wish that is forgotten while its key is worked on': { spoils: forgetsWishes, says: /said to be|nothing is done|episodes are on record/ },
  'a status that is written after the apply': { spoils: recordsLate, says: /not on record/ },
  'a write without asking whether one still leads': { spoils: writesWithoutAsking, says: /after a write of term/ },
  'a reference that is never asked for again after trouble': { spoils: givesUpOnGit, says: /and the branch is at/ },
  'an episode that is closed because nothing is known': { spoils: closesWhatIsUnknown, says: /nobody has seen/ },
  'a sync that is on record only when it is over': { spoils: recordsEnds, says: /no operation under way is on record/ },
  'a sync that is said to be over when it begins': { spoils: endsEarly, says: /no operation under way is on record/ },
  'a sync that never ends': { spoils: neverEnds, says: /is under way/ },
  'a request of which only its sync is on record': { spoils: answersNobody, says: /and once more by|is not answered/ },
  'an object that is made before anybody wrote down that it will be': { spoils: intendsNothing, says: /is not in its inventory/ },
  'an inventory that is not kept': { spoils: keepsNoInventory, says: /is not in its inventory/ },
  'an object that is applied without its mark': { spoils: leavesOutMarks, says: /without its mark/ },
  'a message that is sent before it is on record': { spoils: claimsLate, says: /is sent to .* and is not on record/ },
  'a message that is recorded as sent before it is': { spoils: sendsLate, says: /and has not come/ },
  'an end that nobody is told': { spoils: keepsEndsToItself, says: /and has not come/ },
  'another id for what is sent once more': { spoils: renames, says: /and so did|and has not come/ },
  'a message that is lost with the queue': { spoils: neverSweeps, says: /is claimed for/ },
  'a term that leaves what an earlier one has claimed': { spoils: leavesOldClaims, says: /is claimed for/ },
  'a message without asking whether one still leads': { spoils: tellsWithoutAsking, says: /is sent to .* after a write of term/ },
};

/** Of a bug by its name; none where there is to be none. */
export function spoilsOf(bug: string | undefined): Spoils {
  if (bug === undefined) return {};
  const mutation = mutations[bug];
  if (mutation === undefined) throw new Error(`no bug is called '${bug}'; there are\n${Object.keys(mutations).join('\n')}`);
  return mutation.spoils;
}

function claimsIn({ alerts }: AppStatus): readonly Claim[] {
  return alerts.flatMap(({ deliveries }) => Object.values(deliveries).flatMap(({ claim }) => claim ?? []));
}

function renamed({ alerts }: AppStatus, before: readonly Claim[]): Pick<AppStatus, 'alerts'> {
  const isTriedAgain = ({ notification, attempts }: Claim): boolean => before.some((claim) => claim.notification === notification && claim.attempts < attempts);
  const other = (delivery: Delivery): Delivery => (delivery.claim !== undefined && isTriedAgain(delivery.claim) ? { ...delivery, claim: { ...delivery.claim, notification: `${delivery.claim.notification}-again` } } : delivery);
  return { alerts: alerts.map((alert) => ({ ...alert, deliveries: Object.fromEntries(Object.entries(alert.deliveries).map(([name, delivery]) => [name, other(delivery)])) })) };
}

function isUnderWay({ operation }: AppStatus): boolean {
  return operation?.state === 'running' || operation?.state === 'failing';
}

function ended(status: AppStatus): AppStatus {
  if (status.operation === null || !isUnderWay(status)) return status;
  return { ...status, operation: { ...status.operation, state: 'succeeded', endedAt: status.operation.startedAt } };
}

function isAboutToAct({ conditions }: AppStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Reconciling' && status === 'True');
}
