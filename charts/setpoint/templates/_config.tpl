{{/* The file of the agent: what was said, and what follows from how the pod is made. What is for other commands in the pod, too, is in the environment. */}}
{{- define "setpoint.config" -}}
{{- $config := dict -}}
{{- range $key, $value := .Values.config -}}
{{- if $value -}}
{{- $_ := set $config $key $value -}}
{{- end -}}
{{- end -}}
{{- $_ := set $config "namespaces" (.Values.applications.namespaces | default "all") -}}
{{- $_ := set $config "state" "/var/lib/setpoint/state" -}}
{{- $_ := set $config "listenOperations" "0.0.0.0:8081" -}}
{{- if .Values.config.receivers -}}
{{- $_ := set $config "listenHooks" "0.0.0.0:8080" -}}
{{- end -}}
{{- if .Values.ignoreRules -}}
{{- $_ := set $config "ignoreRules" "ignore-rules.yaml" -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
