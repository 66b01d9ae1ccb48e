// Statuses in → alerts on record, and notifications sent to the destinations that rules name. Through injected ports.
export { startDispatcher, type Dispatcher } from './dispatcher.ts';
export type { AlertStore, Clock, DeliveryQueue, DispatchPorts } from './ports.ts';
