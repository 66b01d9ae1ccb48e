// Alerts in → requests to the configured destination out.
export { createWebhook } from './webhook.ts';
