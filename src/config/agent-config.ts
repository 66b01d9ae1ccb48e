import type { AlertRule, DestinationConfig, HealthRule, MuteWindow, Source } from '../model/index.ts';

/** Which applications the agent looks after. */
export type Scope =
  /** One, from flags alone. */
  | { readonly type: 'single'; readonly name: string; readonly source: Source; readonly namespace: string | undefined; readonly mode: 'alert' | 'auto' }
  /** Those in a file or folder. */
  | { readonly type: 'files'; readonly path: string }
  /** Those in the cluster. The agent's own namespace has its Lease, and the key of its hashes. */
  | { readonly type: 'cluster'; readonly namespaces: 'all' | readonly string[]; readonly agentNamespace: string; readonly lease: string; readonly leaseMs: number };

export interface Listen {
  readonly host: string;
  readonly port: number;
}

/** Who may send webhooks. */
export const providerNames = ['github', 'gitlab', 'gitea', 'forgejo', 'gogs', 'bitbucket', 'bitbucket-server', 'azure-devops', 'generic'] as const;

/** A sender of webhooks. Its secrets are read from files each time they are needed: they are rotated. */
export interface ReceiverConfig {
  readonly id: string;
  readonly provider: (typeof providerNames)[number];
  readonly secretFiles: readonly string[];
  /** Azure DevOps: the user of basic authentication, or the header that carries the secret. */
  readonly user: string | undefined;
  readonly header: string | undefined;
  /** Of a sender that names none. */
  readonly repository: string | undefined;
  readonly reference: string | undefined;
}

/** What is told, to whom, and when not. Every destination that a rule names is there. */
export interface Alerting {
  readonly rules: readonly AlertRule[];
  readonly muteWindows: readonly MuteWindow[];
  readonly destinations: readonly DestinationConfig[];
  /** Hosts, addresses and ranges of addresses that may be private and are sent to all the same. */
  readonly allowPrivate: readonly string[];
}

/** All that the agent is told, checked and frozen. */
export interface AgentConfig {
  readonly scope: Scope;
  /** So often a reference is asked for, and three of these without a sign of life make a verdict worthless. */
  readonly intervalMs: number;
  /** So often everything is looked at without a reason. */
  readonly sweepMs: number;
  /** So many applications are looked at side by side. */
  readonly looksAtOnce: number;
  readonly stateFolder: string;
  /** What people call the cluster. */
  readonly clusterName: string | undefined;
  readonly redisUrl: string | undefined;
  readonly alerting: Alerting;
  readonly hooks: { readonly listen: Listen; readonly receivers: readonly ReceiverConfig[] } | undefined;
  readonly operations: Listen | undefined;
  readonly healthRules: readonly HealthRule[];
}
