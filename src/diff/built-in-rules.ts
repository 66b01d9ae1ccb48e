import { groupOf, isList, isObject, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import { without } from './comparable.ts';

type Rule = (object: KubeObject) => KubeObject;

/** What Git may say of these kinds and never decides: somebody in the cluster fills it in, and an apply would fight with them. */
const rules: Readonly<Record<string, Rule>> = {
  'rbac.authorization.k8s.io/ClusterRole': dropAggregatedRules,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': dropWebhookBundles,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': dropWebhookBundles,
  'apiregistration.k8s.io/APIService': (object) => at(object, ['spec'], dropEmptyBundle),
  'apiextensions.k8s.io/CustomResourceDefinition': (object) => at(object, ['spec', 'conversion', 'webhook', 'clientConfig'], dropEmptyBundle),
};

export function applyBuiltInRules(object: KubeObject): KubeObject {
  return rules[`${groupOf(object.apiVersion)}/${object.kind}`]?.(object) ?? object;
}

/** The rules of such a role are the sum of others': the controller manager writes them. */
function dropAggregatedRules(role: KubeObject): KubeObject {
  return isObject(role['aggregationRule']) ? (without(role, (key) => key === 'rules') as KubeObject) : role;
}

function dropWebhookBundles(configuration: KubeObject): KubeObject {
  const { webhooks } = configuration;
  if (!isList(webhooks)) return configuration;
  const cleaned = webhooks.map((webhook) => (isObject(webhook) ? at(webhook, ['clientConfig'], dropEmptyBundle) : webhook));
  return { ...configuration, webhooks: cleaned };
}

/** Left empty, or as a lone newline, for an injector to fill in. */
function dropEmptyBundle(config: JsonObject): JsonObject {
  const { caBundle } = config;
  const isEmpty = caBundle === null || (typeof caBundle === 'string' && Buffer.from(caBundle, 'base64').toString().trim() === '');
  return isEmpty ? without(config, (key) => key === 'caBundle') : config;
}

function at<T extends JsonObject>(object: T, [key, ...rest]: readonly string[], change: (value: JsonObject) => JsonObject): T {
  if (key === undefined) return change(object) as T;
  const value: Json | undefined = object[key];
  return isObject(value) ? { ...object, [key]: at(value, rest, change) } : object;
}
