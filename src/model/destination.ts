/** One place that is told, as configured. Secrets are only ever named by the files that hold them. */
export type DestinationConfig =
  | SlackConfig
  | SlackWebhookConfig
  | WebhookConfig
  | AlertmanagerConfig
  | PagerDutyConfig
  | TeamsConfig
  | DiscordConfig
  | CommitStatusConfig
  | EmailConfig;

export type DestinationType = DestinationConfig['type'];

interface Common {
  /** What rules call it. */
  readonly name: string;
  /** How often at most; what each service allows where it is absent. */
  readonly rateLimit?: { readonly perSecond: number };
  /** Liquid; the built-in text where they are absent. */
  readonly templates?: MessageTemplates;
}

export interface MessageTemplates {
  readonly title?: string;
  readonly text?: string;
}

/** With a bot token: a message is updated in place. */
export interface SlackConfig extends Common {
  readonly type: 'slack';
  readonly tokenFile: string;
  /** An id (`C0123456789`) or a name (`#alerts`). */
  readonly channel: string;
  /** `https://slack.com/api` where it is absent. */
  readonly apiUrl?: string;
}

/** An incoming webhook: messages are posted, never updated. */
export interface SlackWebhookConfig extends Common {
  readonly type: 'slack-webhook';
  readonly urlFile: string;
}

/** Exactly one of `url` and `urlFile`. A `url` holds no credentials. */
export interface WebhookConfig extends Common {
  readonly type: 'webhook';
  readonly url?: string;
  readonly urlFile?: string;
  /** None: not signed. Two while one takes over from the other: both sign. */
  readonly secretFiles?: readonly string[];
  /** The `source` of the events; `setpoint://<cluster>` where it is absent. */
  readonly source?: string;
}

export interface AlertmanagerConfig extends Common {
  readonly type: 'alertmanager';
  /** Without `/api/v2/alerts`. */
  readonly url: string;
  readonly auth?: AlertmanagerAuth;
}

export type AlertmanagerAuth =
  | { readonly type: 'basic'; readonly user: string; readonly passwordFile: string }
  | { readonly type: 'bearer'; readonly tokenFile: string };

export interface PagerDutyConfig extends Common {
  readonly type: 'pagerduty';
  readonly routingKeyFile: string;
  /** `https://events.pagerduty.com` where it is absent. */
  readonly apiUrl?: string;
}

export interface TeamsConfig extends Common {
  readonly type: 'teams';
  readonly urlFile: string;
}

export interface DiscordConfig extends Common {
  readonly type: 'discord';
  readonly urlFile: string;
}

export interface CommitStatusConfig extends Common {
  readonly type: 'commit-status';
  readonly provider: 'github' | 'gitlab' | 'gitea';
  /** `https://api.github.com`, `https://gitlab.example.com/api/v4`, `https://gitea.example.com/api/v1`. */
  readonly apiUrl: string;
  readonly tokenFile: string;
  /** What the names of statuses begin with; `setpoint` where it is absent: `setpoint/<namespace>/<application>`. */
  readonly context?: string;
}

export interface EmailConfig extends Common {
  readonly type: 'email';
  readonly host: string;
  readonly port: number;
  readonly tls: 'starttls' | 'tls' | 'none';
  readonly user?: string;
  readonly passwordFile?: string;
  readonly from: string;
  readonly to: readonly string[];
}
