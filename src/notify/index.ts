// Notifications in → messages to Slack, webhooks and other services out. Talks HTTP and SMTP to the configured destinations, reads the files of their secrets.
export { createDestination } from './create-destination.ts';
export { createHttp } from './http.ts';
export { readSecret } from './secret.ts';
