{{/* Where the agent goes by TCP: what egressPorts says, and the ports that other values name. Separated by commas, each once. */}}
{{- define "setpoint.egressPorts" -}}
{{- $ports := .Values.networkPolicy.egressPorts -}}
{{- with .Values.externalRedis.url -}}
{{- $hosts := . | splitList "?" | first | splitList "://" | last | splitList "/" | first -}}
{{- range splitList "," $hosts -}}
{{- $ports = append $ports (regexFind `:[0-9]+$` . | trimPrefix ":" | default (ternary 26379 6379 (contains "+sentinel" $.Values.externalRedis.url))) -}}
{{- end -}}
{{- /* Sentinels tell where the server is: its port is the usual one, or has to be among egressPorts. */ -}}
{{- $ports = append $ports 6379 -}}
{{- end -}}
{{- range .Values.config.destinations -}}
{{- if eq (.type | default "") "email" -}}
{{- $ports = append $ports (.port | default (get (dict "starttls" 587 "tls" 465 "none" 25) (.tls | default "starttls"))) -}}
{{- end -}}
{{- range list .url .apiUrl -}}
{{- $ports = append $ports (include "setpoint.portOfUrl" .) -}}
{{- end -}}
{{- end -}}
{{- range .Values.gitCredentials -}}
{{- $ports = append $ports (include "setpoint.portOfUrl" .url) -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if regexMatch `(?i)^(https?|all)_proxy$` .name -}}
{{- $ports = append $ports (include "setpoint.portOfUrl" .value) -}}
{{- end -}}
{{- end -}}
{{- $numbers := list -}}
{{- range $ports -}}
{{- if . -}}
{{- $numbers = append $numbers (. | toString | int) -}}
{{- end -}}
{{- end -}}
{{- $numbers | uniq | join "," -}}
{{- end -}}

{{/* That of its scheme where the URL names none; nothing where there is no URL. */}}
{{- define "setpoint.portOfUrl" -}}
{{- with . -}}
{{- $named := . | toString | splitList "://" | last | splitList "/" | first | splitList "@" | last | regexFind `:[0-9]+$` | trimPrefix ":" -}}
{{- $named | default (get (dict "http" "80" "https" "443" "ssh" "22") (. | toString | splitList "://" | first)) -}}
{{- end -}}
{{- end -}}
