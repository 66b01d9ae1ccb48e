// Each asks `setpoint __complete` with the words up to the cursor. The answer has a candidate on each line, with a tab before what it
// is about, and last :0 (files may follow) or :4 (nothing else may).

const bash = String.raw`# bash completion for setpoint
_setpoint() {
  local answer line word directive
  COMPREPLY=()
  # Bash breaks words at = and :, which setpoint's flags and names hold.
  local typed="${'$'}{COMP_LINE:0:COMP_POINT}"
  local -a words
  read -r -a words <<< "$typed"
  [[ "$typed" == *' ' ]] && words+=('')
  answer=$("${'$'}{words[0]}" __complete "${'$'}{words[@]:1}" 2>/dev/null) || return
  directive="${'$'}{answer##*:}"
  local current="${'$'}{words[-1]}"
  local prefix=''
  [[ "$current" == *[=:]* && "$COMP_WORDBREAKS" == *=* ]] && prefix="${'$'}{current%"${'$'}{current##*[=:]}"}"
  while IFS= read -r line; do
    [[ "$line" == :* ]] && continue
    word="${'$'}{line%%$'\t'*}"
    [[ -n "$word" ]] && COMPREPLY+=("${'$'}{word#"$prefix"}")
  done <<< "$answer"
  if [[ "$directive" == 0 ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${'$'}{current##*=}")
  fi
}
complete -F _setpoint setpoint
`;

const zsh = String.raw`#compdef setpoint
_setpoint() {
  local answer line directive
  local -a candidates
  answer=$("${'$'}{words[1]}" __complete "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null) || return
  directive="${'$'}{answer##*:}"
  for line in "${'$'}{(@f)answer}"; do
    [[ "$line" == :* || -z "$line" ]] && continue
    local word="${'$'}{line%%$'\t'*}" about=''
    [[ "$line" == *$'\t'* ]] && about="${'$'}{line#*$'\t'}"
    candidates+=("${'$'}{word//:/\\:}${'$'}{about:+:$about}")
  done
  (( ${'$'}{#candidates} )) && _describe -t words 'setpoint' candidates
  [[ "$directive" == 0 ]] && _files
}
if [ "$funcstack[1]" = _setpoint ]; then _setpoint "$@"; else compdef _setpoint setpoint; fi
`;

const fish = String.raw`# fish completion for setpoint
function __setpoint_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answer ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    for line in $answer
        switch $line
            case ':0'
                __fish_complete_path "$current"
            case ':*'
            case '*'
                echo $line
        end
    end
end
complete -c setpoint -f -a '(__setpoint_complete)'
`;

const powershell = String.raw`# PowerShell completion for setpoint
Register-ArgumentCompleter -Native -CommandName setpoint -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    $before = @($words | Select-Object -Skip 1)
    if ($wordToComplete -eq '') { $before += '""' }
    (& $words[0] __complete @before 2>$null) | Where-Object { $_ -and -not $_.StartsWith(':') } | ForEach-Object {
        $word, $about = $_ -split "${'`'}t", 2
        if (-not $about) { $about = $word }
        [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
    }
}
`;

export const completionScripts = { bash, zsh, fish, powershell } as const;
