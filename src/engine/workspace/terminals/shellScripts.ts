/**
 * What makes a shell say where its prompts and commands begin and end: OSC 633 with a secret that other programs do not know, so
 * that no output can pose as the end of a command. The person's own start-up files are read first and never changed; what is typed here
 * stays out of the person's history.
 *
 * NONCE stands for the secret: it is in no environment, and the file with it goes away when the shell has read it.
 * C: a command begins. D;code: it has ended. B: the shell waits for the next one.
 */
export const bashScript = String.raw`
[ -r "$HOME/.bashrc" ] && . "$HOME/.bashrc"
__sightline_nonce=NONCE
unset HISTFILE
__sightline_prompt() {
  local code=$?
  builtin printf '\e]633;D;%s;%s\a' "$code" "$__sightline_nonce"
  case $PS1 in *']633;B;'*) ;; *) PS1="$PS1\[\e]633;B;$__sightline_nonce\a\]" ;; esac
  return $code
}
if [[ "$(declare -p PROMPT_COMMAND 2>/dev/null)" == 'declare -a'* ]]; then
  PROMPT_COMMAND=(__sightline_prompt "${'$'}{PROMPT_COMMAND[@]}")
else
  PROMPT_COMMAND="__sightline_prompt${'$'}{PROMPT_COMMAND:+; $PROMPT_COMMAND}"
fi
PS0="$PS0\e]633;C;$__sightline_nonce\a"
set +H
`;

/** In a folder of its own that stands for the person's until the person's is read. */
export const zshScripts = {
  '.zshenv': String.raw`
ZDOTDIR=${'$'}{SIGHTLINE_USER_ZDOTDIR:-$HOME}
[[ -r $ZDOTDIR/.zshenv ]] && . $ZDOTDIR/.zshenv
SIGHTLINE_USER_ZDOTDIR=${'$'}{ZDOTDIR:-$HOME}
ZDOTDIR=$SIGHTLINE_ZDOTDIR
`,
  '.zshrc': String.raw`
ZDOTDIR=$SIGHTLINE_USER_ZDOTDIR
[[ -r $ZDOTDIR/.zshrc ]] && . $ZDOTDIR/.zshrc
[[ $ZDOTDIR == $HOME ]] && unset ZDOTDIR
typeset -g __sightline_nonce=NONCE
unset SIGHTLINE_ZDOTDIR SIGHTLINE_USER_ZDOTDIR HISTFILE
unsetopt PROMPT_SP BANG_HIST
__sightline_precmd() {
  local code=$?
  builtin printf '\e]633;D;%s;%s\a' "$code" "$__sightline_nonce"
  [[ $PROMPT == *'633;B;'* ]] || PROMPT="$PROMPT%{"$'\e'"]633;B;$__sightline_nonce"$'\a'"%}"
  return $code
}
__sightline_preexec() { builtin printf '\e]633;C;%s\a' "$__sightline_nonce" }
precmd_functions=(__sightline_precmd $precmd_functions)
preexec_functions+=(__sightline_preexec)
`,
};

export const fishScript = String.raw`
set -g __sightline_nonce NONCE
set -g fish_history ''
set -g fish_greeting
functions -q fish_prompt; and functions -c fish_prompt __sightline_user_prompt
function __sightline_preexec --on-event fish_preexec
  printf '\e]633;C;%s\a' $__sightline_nonce
end
function __sightline_postexec --on-event fish_postexec
  printf '\e]633;D;%s;%s\a' $status $__sightline_nonce
end
function fish_prompt
  functions -q __sightline_user_prompt; and __sightline_user_prompt; or printf '> '
  printf '\e]633;B;%s\a' $__sightline_nonce
end
`;
