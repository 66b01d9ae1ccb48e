{{/* What the agent would refuse of its configuration when it starts. Bounds, names and needs are those of src/config, and a test compares them. */}}
{{- define "setpoint.configProblems" -}}
{{- include "setpoint.durationProblems" . }}
{{- include "setpoint.receiverProblems" . }}
{{- include "setpoint.destinationProblems" . }}
{{- end -}}

{{- define "setpoint.durationProblems" -}}
{{- range $key, $bounds := dict "interval" (list "10s" "24h") "sweep" (list "1s" "24h") "leaseDuration" (list "4s" "5m") }}
{{- with get $.Values.config $key }}
{{- $given := include "setpoint.milliseconds" . | float64 }}
{{- if or (lt $given (include "setpoint.milliseconds" (first $bounds) | float64)) (gt $given (include "setpoint.milliseconds" (last $bounds) | float64)) }}
- config.{{ $key }} wants a duration from {{ first $bounds }} to {{ last $bounds }}, and is {{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "setpoint.receiverProblems" -}}
{{- $ids := list }}
{{- range $index, $each := .Values.config.receivers }}
{{- $at := printf "config.receivers[%d]" $index }}
{{- if has .id $ids }}
- {{ $at }}.id is {{ .id }}, which another receiver has: each wants one of its own
{{- end }}
{{- $ids = append $ids .id }}
{{- if not (or .secretFile .secretFiles) }}
- {{ $at }} wants secretFile or secretFiles, and has neither: anyone could send to it
{{- end }}
{{- if and .secretFile .secretFiles }}
- {{ $at }} wants secretFile or secretFiles, and has both
{{- end }}
{{- if and .user .header }}
- {{ $at }} has a user and a header: the secret comes by one of them
{{- else if and (or .user .header) (ne .provider "azure-devops") }}
- {{ $at }} has a {{ ternary "user" "header" (not (empty .user)) }}, which only azure-devops takes, and its provider is {{ .provider }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "setpoint.destinationProblems" -}}
{{- $names := list }}
{{- if eq (include "setpoint.hasWebhook" .) "true" }}
{{- $names = append $names "webhook" }}
{{- end }}
{{- range $index, $each := .Values.config.destinations }}
{{- $at := printf "config.destinations[%d]" $index }}
{{- if has .name $names }}
- {{ $at }}.name is {{ .name }}, which another destination has{{ if eq .name "webhook" }}, or that of notifyWebhook{{ end }}: each wants one of its own
{{- end }}
{{- $names = append $names .name }}
{{- range splitList " " (get (include "setpoint.destinationNeeds" $ | fromYaml) .type) }}
{{- if and . (not (hasKey $each .)) }}
- {{ $at }} is of the type {{ $each.type }} and wants {{ . }}
{{- end }}
{{- end }}
{{- if eq .type "webhook" }}
{{- if eq (hasKey . "url") (hasKey . "urlFile") }}
- {{ $at }} wants url or urlFile, and has {{ ternary "both" "neither" (hasKey . "url") }}
{{- end }}
{{- if and (hasKey . "secretFile") (hasKey . "secretFiles") }}
- {{ $at }} wants secretFile or secretFiles, and has both
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The keys that a destination of each type must have, beside name and type. */}}
{{- define "setpoint.destinationNeeds" -}}
slack: tokenFile channel
slack-webhook: urlFile
webhook: ""
alertmanager: url
pagerduty: routingKeyFile
teams: urlFile
discord: urlFile
commit-status: provider apiUrl tokenFile
email: host from to
{{- end -}}

{{/* With what is behind the point: 1.5s is 1500. */}}
{{- define "setpoint.milliseconds" -}}
{{- $sum := 0.0 -}}
{{- $units := dict "ms" 1.0 "s" 1000.0 "m" 60000.0 "h" 3600000.0 -}}
{{- range regexFindAll `[0-9.]+[a-z]+` . -1 -}}
{{- $sum = addf $sum (mulf (regexFind `^[0-9.]+` . | float64) (get $units (regexFind `[a-z]+$` .))) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}
