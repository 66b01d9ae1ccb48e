{{/* Values that are right by themselves and do not go together: all of them, a sentence each. */}}
{{- define "setpoint.check" -}}
{{- $problems := include "setpoint.problems" . | trim -}}
{{- if $problems -}}
{{- fail (printf "these values cannot be meant:\n%s" $problems) -}}
{{- end -}}
{{- end -}}

{{- define "setpoint.problems" -}}
{{- $name := include "setpoint.fullname" . }}
{{- if not (regexMatch `^[a-z]([-a-z0-9]*[a-z0-9])?$` $name) }}
- fullnameOverride wants a name, because {{ $name }}, which the release's makes, cannot be that of a Service: small letters, digits and dashes, a letter first
{{- end }}
{{- if not .Values.image.repository }}
- image.repository wants the place of the image, such as registry.example.com/setpoint, and is empty
{{- end }}
{{- if and (not .Values.serviceAccount.create) (not .Values.serviceAccount.name) }}
- serviceAccount.name wants the name of your account where serviceAccount.create is false, and is empty
{{- end }}
{{- include "setpoint.rbacProblems" . }}
{{- include "setpoint.redisProblems" . }}
{{- include "setpoint.fileProblems" . }}
{{- include "setpoint.alertProblems" . }}
{{- include "setpoint.secretProblems" . }}
{{- include "setpoint.configProblems" . }}
{{- if and .Values.prometheusRule.enabled (not .Values.serviceMonitor.enabled) (not .Values.prometheusRule.job) }}
- prometheusRule.enabled is true, and nothing says how Prometheus comes by the metrics: have serviceMonitor.enabled, or name the job of your own in prometheusRule.job
{{- end }}
{{- if and (ne .Values.service.type "ClusterIP") (not .Values.config.receivers) }}
- service.type is {{ .Values.service.type }}, and config.receivers has none: there is no Service for webhooks
{{- end }}
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
{{- if not .create }}
{{- $asked := list }}
{{- if ne .level "read-only" }}
{{- $asked = append $asked (printf "rbac.level is %s" .level) }}
{{- end }}
{{- if .dryRuns }}
{{- $asked = append $asked "rbac.dryRuns is true" }}
{{- end }}
{{- if .secrets }}
{{- $asked = append $asked "rbac.secrets names some" }}
{{- end }}
{{- if $asked }}
- rbac.create is false, and {{ join ", " $asked }}: no role is made of that. Leave it out, and bind roles of your own that say it
{{- end }}
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
{{- if .namespaces }}
{{- $usual := include "setpoint.usualClusterKinds" . | fromYaml }}
{{- range $group, $resources := .clusterKinds }}
{{- range $resources }}
{{- if not (has . (get $usual $group | default list)) }}
- rbac.clusterKinds names {{ . }}{{ with $group }}.{{ . }}{{ end }}, and rbac.namespaces names {{ join ", " $namespaces }}: kinds outside of namespaces cannot be had there
{{- end }}
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
{{- if and (or $.Values.redis.enabled .url) (ne (include "setpoint.tellsSomebody" $) "true") }}
- {{ if .url }}externalRedis.url is given{{ else }}redis.enabled is true{{ end }}, and config.destinations has none: Redis holds the queue of alerts and nothing else, so it would have no effect
{{- end }}
{{- if regexMatch `(?i)[?&]sentinel(username|password)=` .url }}
- externalRedis.url holds the login of the Sentinels: put it into a Secret and name its keys in externalRedis.sentinelUsernameKey and sentinelPasswordKey
{{- end }}
{{- range $key := list "sentinelUsernameKey" "sentinelPasswordKey" }}
{{- if and (get $.Values.externalRedis $key) (not (contains "+sentinel" $.Values.externalRedis.url)) }}
- externalRedis.{{ $key }} is given, and externalRedis.url names no Sentinels: it does not begin with redis+sentinel or rediss+sentinel
{{- else if and (get $.Values.externalRedis $key) (not $.Values.externalRedis.existingSecret) }}
- externalRedis.{{ $key }} is given, and externalRedis.existingSecret is empty
{{- end }}
{{- end }}
{{- $place := .url | splitList "?" | first | splitList "://" | last }}
{{- $path := trimPrefix ($place | splitList "/" | first) $place }}
{{- if and (contains "+sentinel" .url) (not (regexMatch `^/[\w.-]{1,128}(/\d{1,5})?$` $path)) }}
- externalRedis.url names Sentinels and no master: it ends with /MASTER, or /MASTER/DATABASE
{{- else if and (contains "+cluster" .url) (not (regexMatch `^(/0?)?$` $path)) }}
- externalRedis.url names a cluster and a path: a cluster has but one database
{{- else if and .url (not (regexMatch `\+(sentinel|cluster)` .url)) (not (regexMatch `^/?\d{0,5}$` $path)) }}
- externalRedis.url has a path that is not the number of a database
{{- end }}
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
{{- range $folder := $paths }}
{{- range $paths }}
{{- if hasPrefix (print $folder "/") . }}
- secretFiles has the paths {{ $folder }} and {{ . }}: one cannot be a file and a folder
{{- end }}
{{- end }}
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

{{/* Every destination that a rule names is there. */}}
{{- define "setpoint.alertProblems" -}}
{{- $alerts := .Values.config.alerts | default dict }}
{{- $names := list }}
{{- range .Values.config.destinations }}
{{- $names = append $names .name }}
{{- end }}
{{- if eq (include "setpoint.hasWebhook" .) "true" }}
{{- $names = append $names "webhook" }}
{{- end }}
{{- range $index, $rule := $alerts.rules }}
{{- range $rule.destinations }}
{{- if not (has . $names) }}
- config.alerts.rules[{{ $index }}].destinations names {{ . }}, and {{ if $names }}config.destinations has only {{ join ", " $names }}{{ else }}config.destinations has none{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $alerts.rules (not $names) (not (regexMatch "destinations" (toJson $alerts.rules))) }}
- config.alerts.rules are given, and config.destinations has none: nobody would be told
{{- end }}
{{- end -}}

{{- define "setpoint.tellsSomebody" -}}
{{- or (gt (len .Values.config.destinations) 0) (eq (include "setpoint.hasWebhook" .) "true") -}}
{{- end -}}

{{/* The destination of SETPOINT_NOTIFY_WEBHOOK, which is called webhook. */}}
{{- define "setpoint.hasWebhook" -}}
{{- $isGiven := not (empty .Values.notifyWebhook) -}}
{{- range .Values.extraEnv -}}
{{- if eq .name "SETPOINT_NOTIFY_WEBHOOK" -}}
{{- $isGiven = true -}}
{{- end -}}
{{- end -}}
{{- $isGiven -}}
{{- end -}}

{{/* URLs are in the open: in the Deployment, or in a ConfigMap. They are not repeated. */}}
{{- define "setpoint.secretProblems" -}}
{{- range $index, $each := .Values.gitCredentials }}
{{- if regexMatch `^https?://[^/]*@|://[^/@]*:[^/@]*@` ($each.url | default "") }}
- gitCredentials[{{ $index }}].url holds a user or a password: put them into the Secret {{ $each.secret }}, as username and password
{{- end }}
{{- end }}
{{- range $index, $each := .Values.config.destinations }}
{{- range $key := list "url" "apiUrl" }}
{{- if regexMatch `[@?#]` (get $each $key | default "" | toString) }}
- config.destinations[{{ $index }}].{{ $key }} may hold no user, no password, no ? and no #, because it is in a ConfigMap: for a webhook put all of it into a file of secretFiles and name that in urlFile
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* rbac.clusterKinds as it comes: not what somebody asked for. */}}
{{- define "setpoint.usualClusterKinds" -}}
"": [namespaces, persistentvolumes]
admissionregistration.k8s.io: [mutatingwebhookconfigurations, validatingadmissionpolicies, validatingadmissionpolicybindings, validatingwebhookconfigurations]
apiextensions.k8s.io: [customresourcedefinitions]
apiregistration.k8s.io: [apiservices]
networking.k8s.io: [ingressclasses]
rbac.authorization.k8s.io: [clusterrolebindings, clusterroles]
scheduling.k8s.io: [priorityclasses]
storage.k8s.io: [storageclasses]
{{- end -}}
