// The status before and the verdict after in → episodes, and alerts worth sending, out. Pure.
export { advanceEpisodes } from './advance-episodes.ts';
export { cloudEvent } from './cloud-event.ts';
