// The status before and the verdict after in → episodes, and alerts worth sending, out. Pure.
export { advanceEpisodes, type Advance } from './advance-episodes.ts';
export { cloudEvent, type AlertContext, type CloudEvent } from './cloud-event.ts';
