import type { DestinationConfig, Notification } from '../model/index.ts';
import type { DestinationDeps } from './destination-deps.ts';
import type { Message } from './message.ts';
import { createMessageOf } from './template.ts';

/** The messages of a destination. Whoever runs it is told which of its templates failed. */
export function messagesFor(config: Pick<DestinationConfig, 'name' | 'templates'>, { onTemplateFailed }: Pick<DestinationDeps, 'onTemplateFailed'>): (notification: Notification) => Message {
  return createMessageOf(config, { onFailed: (failed) => onTemplateFailed?.({ ...failed, destination: config.name }) });
}
