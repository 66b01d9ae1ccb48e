{{- define "setpoint.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Its StatefulSet, whose name is longer by 7, has its name and a hash of 10 in a label, which has room for 63. */}}
{{- define "setpoint.redisName" -}}
{{- $fullname := include "setpoint.fullname" . -}}
{{- if gt (len $fullname) 38 -}}
{{- $fullname = printf "%s-%s" (trunc 29 $fullname | trimSuffix "-") (sha256sum $fullname | trunc 8) -}}
{{- end -}}
{{- $fullname }}-redis
{{- end -}}

{{- define "setpoint.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "setpoint.fullname" .) -}}
{{- end -}}

{{/* Of a component: never changed, they are in selectors. */}}
{{- define "setpoint.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "setpoint.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "setpoint.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: setpoint
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* Those, and somebody's own (.more), each key once: one that is given twice is no YAML. What selectors go by stays. */}}
{{- define "setpoint.labelsAnd" -}}
{{- toYaml (merge (include "setpoint.selector" . | fromYaml) (.more | default dict) (include "setpoint.labels" . | fromYaml)) -}}
{{- end -}}

{{/* name and labels of an object: (dict "root" $ "component" "agent" "name" "x"), with "more" for labels beside those */}}
{{- define "setpoint.metadata" -}}
name: {{ .name | default (include "setpoint.fullname" .root) }}
namespace: {{ .namespace | default .root.Release.Namespace }}
labels:
  {{- if .more }}
  {{- include "setpoint.labelsAnd" . | nindent 2 }}
  {{- else }}
  {{- include "setpoint.labels" . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "setpoint.clusterMetadata" -}}
name: {{ .name }}
labels:
  {{- include "setpoint.labels" . | nindent 2 }}
{{- end -}}

{{/* Roles outside of namespaces are shared by all releases of a cluster: the namespace is part of their names. */}}
{{- define "setpoint.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "setpoint.fullname" .) -}}
{{- end -}}

{{- define "setpoint.image" -}}
{{- if .image.digest -}}
{{- printf "%s@%s" .image.repository .image.digest -}}
{{- else -}}
{{- printf "%s:%s" .image.repository (.image.tag | default .version) -}}
{{- end -}}
{{- end -}}
