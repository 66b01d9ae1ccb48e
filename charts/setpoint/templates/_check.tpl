{{/* Values that are right by themselves and do not go together: all of them, a sentence each. */}}
{{- define "setpoint.check" -}}
{{- $problems := include "setpoint.problems" . | trim -}}
{{- if $problems -}}
{{- fail (printf "these values cannot be meant:\n%s" $problems) -}}
{{- end -}}
{{- end -}}

{{- define "setpoint.problems" -}}
{{- if not .Values.image.repository }}
- image.repository wants the place of the image, such as registry.example.com/setpoint, and is empty
{{- end }}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) }}
- serviceAccount.name wants the name of your account where serviceAccount.create is false, and is empty
{{- end }}
{{- include "setpoint.rbacProblems" . }}
{{- include "setpoint.redisProblems" . }}
{{- include "setpoint.fileProblems" . }}
{{- with .Values.ingress }}
{{- if and .enabled (not .host) }}
- ingress.host wants the name of the host where ingress.enabled is true, and is empty
{{- end }}
{{- if and .enabled (not $.Values.config.receivers) }}
- ingress.enabled is true, and config.receivers has none: nothing would listen
{{- end }}
{{- end }}
{{- end -}}

{{- define "setpoint.rbacProblems" -}}
{{- with .Values.rbac }}
{{- $namespaces := .namespaces }}
{{- if and (eq .level "sync-namespaces") (not .namespaces) }}
- rbac.level is sync-namespaces, and rbac.namespaces names none: name those to sync in, or choose read-only or sync-everywhere
{{- end }}
{{- if and (eq .level "sync-everywhere") .namespaces }}
- rbac.level is sync-everywhere, and rbac.namespaces names {{ join ", " .namespaces }}: choose sync-namespaces, or name none
{{- end }}
{{- if and .dryRuns (ne .level "read-only") }}
- rbac.dryRuns is for the level read-only, and rbac.level is {{ .level }}, which has that right anyway
{{- end }}
{{- range $key, $kinds := dict "kinds" .kinds "clusterKinds" .clusterKinds }}
{{- range $group, $resources := $kinds }}
{{- if or (eq $group "*") (and (eq $group "") (or (has "*" $resources) (has "secrets" $resources))) }}
- rbac.{{ $key }} would let the agent read every Secret, by {{ quote $group }}: [{{ join ", " $resources }}]: name kinds there, and Secrets in rbac.secrets
{{- end }}
{{- end }}
{{- end }}
{{- range .secrets }}
{{- if and $namespaces (not (has .namespace $namespaces)) }}
- rbac.secrets names the namespace {{ .namespace }}, and rbac.namespaces has only {{ join ", " $namespaces }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "setpoint.redisProblems" -}}
{{- with .Values.redis }}
{{- if and .enabled $.Values.externalRedis.url }}
- redis.enabled is true and externalRedis.url is given: choose one
{{- end }}
{{- if and .enabled (not .existingSecret) }}
- redis.existingSecret wants the name of a Secret with the password where redis.enabled is true, and is empty
{{- end }}
{{- if and .existingSecret (not .enabled) }}
- redis.existingSecret is given, and redis.enabled is false: for a Redis of yours it is externalRedis.existingSecret
{{- end }}
{{- if and .persistence.enabled (not .enabled) }}
- redis.persistence.enabled is true, and redis.enabled is false: there is nothing to keep
{{- end }}
{{- end }}
{{- with .Values.externalRedis }}
{{- if contains "@" .url }}
- externalRedis.url holds a user or a password: put them into a Secret and name it in externalRedis.existingSecret
{{- end }}
{{- if and .existingSecret (not .url) }}
- externalRedis.existingSecret is given, and externalRedis.url is empty
{{- end }}
{{- if and .usernameKey (not .existingSecret) }}
- externalRedis.usernameKey is given, and externalRedis.existingSecret is empty
{{- end }}
{{- if and .caFile (not (hasPrefix "rediss" .url)) }}
- externalRedis.caFile is for TLS, and externalRedis.url does not begin with rediss
{{- end }}
{{- end }}
{{- end -}}

{{/* Every file that is spoken of is there, and none twice. */}}
{{- define "setpoint.fileProblems" -}}
{{- $paths := list }}
{{- range .Values.secretFiles }}
{{- if has .path $paths }}
- secretFiles has the path {{ .path }} twice
{{- end }}
{{- if has .path (list "config.yaml" "ignore-rules.yaml") }}
- secretFiles has the path {{ .path }}, which is the name of a file of the chart's own
{{- end }}
{{- $paths = append $paths .path }}
{{- end }}
{{- $spoken := include "setpoint.filesIn" (dict "at" "config.receivers" "value" .Values.config.receivers) }}
{{- $spoken = print $spoken (include "setpoint.filesIn" (dict "at" "config.destinations" "value" .Values.config.destinations)) }}
{{- with .Values.externalRedis.caFile }}
{{- $spoken = printf "%s\nexternalRedis.caFile=%s" $spoken . }}
{{- end }}
{{- range splitList "\n" $spoken }}
{{- if . }}
{{- $file := . | splitn "=" 2 }}
{{- if not (or (hasPrefix "/" $file._1) (has $file._1 $paths)) }}
- {{ $file._0 }} names a file that secretFiles has no path for: {{ if contains "://" $file._1 }}it looks like a URL{{ else }}{{ trunc 40 $file._1 }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Lines "where=path" for each key that ends with File or Files, however deep. */}}
{{- define "setpoint.filesIn" -}}
{{- $at := .at }}
{{- if kindIs "slice" .value }}
{{- range $index, $each := .value }}
{{- include "setpoint.filesIn" (dict "at" (printf "%s[%d]" $at $index) "value" $each) }}
{{- end }}
{{- else if kindIs "map" .value }}
{{- range $key, $each := .value }}
{{- if hasSuffix "File" $key }}
{{ $at }}.{{ $key }}={{ $each }}
{{- else if hasSuffix "Files" $key }}
{{- range $each }}
{{ $at }}.{{ $key }}={{ . }}
{{- end }}
{{- else }}
{{- include "setpoint.filesIn" (dict "at" (printf "%s.%s" $at $key) "value" $each) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
