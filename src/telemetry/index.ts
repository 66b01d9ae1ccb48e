// What the agent says of itself while it works: messages and fields in → lines on stderr and metrics out.
export { createLog, type Log } from './log.ts';
export { createMetrics, type AlertSample, type AppSample, type DestinationSample, type Metrics } from './metrics.ts';
