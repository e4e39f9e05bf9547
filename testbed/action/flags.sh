# Splits $FLAGS into the array "flags" as a shell does, quotes included, without running anything in it.
flags=()
if ! words=$(printf '%s' "$FLAGS" | xargs -r printf '%s\n' 2> /dev/null); then
  echo "::error::flags has a quote that is not closed in its line: $(printf '%s' "$FLAGS" | tr '\n' ' ')"
  exit 2
fi
if [ -n "$words" ]; then
  while IFS= read -r word; do flags+=("$word"); done <<< "$words"
fi
