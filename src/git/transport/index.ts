// A remote repository in → what isomorphic-git needs to talk to it. Opens connections to one Git server.
export { createTransport, type Session, type Transport, type TransportLimits } from './transport.ts';
