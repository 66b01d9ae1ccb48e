// The words of Setpoint: types, and the few functions that only they need. Imports nothing.
export type { Alert, AlertedApplication, AlertedField, AlertedResource, AlertedState, AlertMatch, AlertRule, Claim, DeadLetter, Delivery, Destination, MuteWindow, Notification, NotificationType, SendOutcome, Severity, Silence } from './alert.ts';
export { whyUnreadable } from './why-unreadable.ts';
export type { AppStatus, HeldStep, HistoryEntry, ResourceStatus, UnhealthyResource } from './app-status.ts';
export type {
  AlertmanagerAuth,
  AlertmanagerConfig,
  CommitStatusConfig,
  DestinationConfig,
  DestinationType,
  DiscordConfig,
  EmailConfig,
  MessageTemplates,
  PagerDutyConfig,
  SlackConfig,
  SlackWebhookConfig,
  TeamsConfig,
  WebhookConfig,
} from './destination.ts';
export { muteIn } from './mute-in.ts';
export { replayIn, replayText } from './replay-request.ts';
export { silenceIn } from './silence-in.ts';
export { emptyStatus, hasSucceeded } from './app-status.ts';
export { sameValue } from './same-value.ts';
export { isPaused, mainSource, modeOf, namedApplication, plainApplication, revertsForeign, type Application, type Mode } from './application.ts';
export { wholeSeconds, type Condition } from './condition.ts';
export { applicationKind, cascadeFinalizer, type ApplicationMute, type ApplicationPause, type ApplicationPolicy, type ApplicationSpec, type DriftMode, type DriftRule, type NamespaceMetadata, type ReplayRequest, type RetryPolicy } from './application-spec.ts';
export type {
  ChangeStep,
  Diff,
  FieldChange,
  FieldOwner,
  ForeignField,
  Obstacle,
  Patch,
  PatchOperation,
  Remarks,
  SideEffect,
  Sighting,
} from './diff.ts';
export type { Correction } from './correction.ts';
export type { Episode } from './episode.ts';
export { driftIn } from './drift-in.ts';
export { retryOf, SetpointError, toSetpointError, type ErrorCode } from './errors.ts';
export {
  canonicalJson,
  childOf,
  entriesOf,
  isList,
  isObject,
  mayRound,
  parseJson,
  parseJsonOrUndefined,
  stringifyJson,
  valueAt,
  type Json,
  type JsonObject,
} from './json.ts';
export { countsAsPeople, fieldManager, isByHand, isDeployTool, isSoftware, writesWholeObjects } from './field-manager.ts';
export type { FieldKeys, Refusal } from './refusal.ts';
export { repositoryIdentity } from './repository-identity.ts';
export { labelsOf } from './labels-of.ts';
export { namespaceOf } from './namespace-of.ts';
export type { Finding, KubeObject, LiveObject, Manifest, ServedKind, SourceDocument, SourceFile } from './manifest.ts';
export { isWhole } from './manifest.ts';
export type { Health, HealthRule, HealthStatus } from './health.ts';
export { syncRequestIn, trackingAnnotation } from './operation.ts';
export type { HookState, Inventory, InventoryEntry, Operation, SyncRequest } from './operation.ts';
export type { HoldCode, Phase, Plan, Propagation, Step, StepOutcome } from './plan.ts';
export type { Schema, SchemaField, SchemaStruct } from './schema.ts';
export type { DirectoryOptions, HelmOptions, KustomizeOptions, RenderOptions, Source, SourceKind } from './source.ts';
export type { EntryType, SourceTree, TreeEntry } from './source-tree.ts';
export type { SyncWindow } from './sync-window.ts';
export { shownRevision } from './shown-revision.ts';
export { shownVerdict, staleIntervals } from './shown-verdict.ts';
export { shownText } from './shown-text.ts';
export { checkSourcePath } from './source-path.ts';
export { displayKey, groupOf, isSecretKind, parseResourceKey, resourceKey, type ResourceKey } from './resource-key.ts';
export type { AgreedState, AgreedStates, Cause, JudgedResource, Judgement, Verdict } from './verdict.ts';
