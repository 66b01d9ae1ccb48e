{{/* What may be done to the objects of Applications. update is for the sync option Replace, delete for prune and hooks. */}}
{{- define "setpoint.verbs" -}}
{{- if ne .Values.rbac.level "read-only" -}}
[get, list, watch, create, patch, update, delete]
{{- else if .Values.rbac.dryRuns -}}
[get, list, watch, patch]
{{- else -}}
[get, list, watch]
{{- end -}}
{{- end -}}

{{- define "setpoint.kindRules" -}}
{{- $root := .root -}}
{{- range $group, $resources := .kinds }}
{{- if $resources }}
- apiGroups: [{{ $group | quote }}]
  resources: {{ toJson $resources }}
  verbs: {{ include "setpoint.verbs" $root }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Of a namespace, in a Role of its own: whether it is there is asked for CreateNamespace=true. */}}
{{- define "setpoint.namespaceRule" }}
- apiGroups: [""]
  resources: [namespaces]
  resourceNames: [{{ . | quote }}]
  verbs: [get]
{{- end -}}

{{/* Which Secrets may be written is said by name, but for new ones: those have none yet. */}}
{{- define "setpoint.secretRules" -}}
- apiGroups: [""]
  resources: [secrets]
  resourceNames: {{ toJson .names }}
  verbs: {{ if eq .level "read-only" }}[get, list, watch]{{ else }}[get, list, watch, patch, update, delete]{{ end }}
{{- if ne .level "read-only" }}
- apiGroups: [""]
  resources: [secrets]
  verbs: [create]
{{- end }}
{{- end -}}

{{- define "setpoint.applicationRules" -}}
- apiGroups: [setpoint.dev]
  resources: [applications]
  verbs: [get, list, watch, patch]
- apiGroups: [setpoint.dev]
  resources: [applications/status]
  verbs: [update]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
{{- end -}}

{{/* A Role with its binding to the agent, in one namespace. */}}
{{- define "setpoint.role" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "setpoint.metadata" (dict "root" .root "component" "agent" "name" .name "namespace" .namespace) | nindent 2 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "setpoint.metadata" (dict "root" .root "component" "agent" "name" .name "namespace" .namespace) | nindent 2 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ .name | quote }} }
subjects:
  - { kind: ServiceAccount, name: {{ include "setpoint.serviceAccount" .root | quote }}, namespace: {{ .root.Release.Namespace | quote }} }
{{ end -}}

{{/* The same for the whole cluster. */}}
{{- define "setpoint.clusterRole" -}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  {{- include "setpoint.clusterMetadata" (dict "root" .root "component" "agent" "name" .name) | nindent 2 }}
rules:
  {{- .rules | trim | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  {{- include "setpoint.clusterMetadata" (dict "root" .root "component" "agent" "name" .name) | nindent 2 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ .name | quote }} }
subjects:
  - { kind: ServiceAccount, name: {{ include "setpoint.serviceAccount" .root | quote }}, namespace: {{ .root.Release.Namespace | quote }} }
{{ end -}}
