{{/* Pods as the level "restricted" of Pod Security has them, with the ids that somebody gave: (dict "ids" .Values.podSecurityContext) */}}
{{- define "setpoint.podSecurity" -}}
{{- toYaml (merge (dict "runAsNonRoot" true) (.ids | default dict) (dict "seccompProfile" (dict "type" "RuntimeDefault"))) -}}
{{- end -}}

{{- define "setpoint.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Where a pod may run: of nodeSelector, tolerations and affinity, those that are given. */}}
{{- define "setpoint.placement" -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with get $ $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "setpoint.agentEnv" -}}
- name: SETPOINT_CONFIG
  value: /etc/setpoint/config.yaml
- name: SETPOINT_AGENT_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
- name: SETPOINT_LEASE
  value: {{ .Values.lease | quote }}
{{- if .Values.gitCredentials }}
- name: SETPOINT_GIT_CREDENTIALS
  value: /etc/setpoint-git
{{- end }}
- name: XDG_CACHE_HOME
  value: /var/lib/setpoint/cache
{{- with .Values.notifyWebhook }}
- name: SETPOINT_NOTIFY_WEBHOOK
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } }
{{- end }}
{{- if .Values.redis.enabled }}
- name: SETPOINT_REDIS
  value: redis://{{ include "setpoint.redisName" . }}.{{ .Release.Namespace }}.svc:6379
- name: SETPOINT_REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .Values.redis.existingSecret | quote }}, key: {{ .Values.redis.existingSecretKey | quote }} } }
{{- end }}
{{- with .Values.externalRedis }}
{{- if .url }}
- name: SETPOINT_REDIS
  value: {{ .url | quote }}
{{- if .existingSecret }}
- name: SETPOINT_REDIS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .passwordKey | quote }} } }
{{- if .usernameKey }}
- name: SETPOINT_REDIS_USERNAME
  valueFrom: { secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .usernameKey | quote }} } }
{{- end }}
{{- if .sentinelPasswordKey }}
- name: SETPOINT_REDIS_SENTINEL_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .sentinelPasswordKey | quote }} } }
{{- end }}
{{- if .sentinelUsernameKey }}
- name: SETPOINT_REDIS_SENTINEL_USERNAME
  valueFrom: { secretKeyRef: { name: {{ .existingSecret | quote }}, key: {{ .sentinelUsernameKey | quote }} } }
{{- end }}
{{- end }}
{{- if .caFile }}
- name: SETPOINT_REDIS_CA
  value: /etc/setpoint/{{ .caFile }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "setpoint.agentMounts" -}}
- { name: config, mountPath: /etc/setpoint, readOnly: true }
{{- range $index, $each := .Values.gitCredentials }}
- { name: git-{{ $index }}, mountPath: /etc/setpoint-git/{{ $index }}, readOnly: true }
{{- end }}
- { name: state, mountPath: /var/lib/setpoint }
- { name: tmp, mountPath: /tmp }
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "setpoint.agentVolumes" -}}
# One folder: the paths of secrets in a configuration file begin beside it.
- name: config
  projected:
    defaultMode: 0440
    sources:
      - configMap:
          name: {{ include "setpoint.fullname" . }}
          items:
            - { key: config.yaml, path: config.yaml }
            {{- if .Values.ignoreRules }}
            - { key: ignore-rules.yaml, path: ignore-rules.yaml }
            {{- end }}
      {{- range .Values.secretFiles }}
      - secret:
          name: {{ .secret | quote }}
          items:
            - { key: {{ .key | quote }}, path: {{ .path | quote }} }
      {{- end }}
{{- range $index, $each := .Values.gitCredentials }}
- name: git-{{ $index }}
  projected:
    defaultMode: 0440
    sources:
      - secret: { name: {{ $each.secret | quote }} }
      {{- if $each.url }}
      - configMap:
          name: {{ include "setpoint.fullname" $ }}
          items:
            - { key: git-{{ $index }}-url, path: url }
      {{- end }}
{{- end }}
- name: state
  emptyDir: { sizeLimit: {{ .Values.state.sizeLimit | quote }} }
- name: tmp
  emptyDir: { sizeLimit: 256Mi }
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
