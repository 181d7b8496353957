import { useEffect, useRef, useState } from "react"

/**
 * The current choices of a form, for totals that follow them. They are read from the form, so that choices made before
 * hydration, or restored by the browser on reload, count too. `read` takes the choices before, for input that is not valid.
 */
export function useFormChoices<Choices>(
  initial: Choices,
  read: (form: FormData, before: Choices) => Choices,
) {
  const [choices, setChoices] = useState(initial)
  const ref = useRef<HTMLFormElement>(null)
  function onChange() {
    const { current } = ref
    if (current) setChoices((before) => read(new FormData(current), before))
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when script takes over
  useEffect(onChange, [])
  return { choices, choiceProps: { ref, onChange } }
}
