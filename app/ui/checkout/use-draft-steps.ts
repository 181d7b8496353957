import { useEffect, useRef, useState } from "react"
import { useLocale } from "~/i18n/use-locale"
import { tellChoice, tellEmail } from "./tell-step"

/**
 * Tells the server of the first choice and of each e-mail while the form of the field is filled in. `likely`: the address
 * that the typed one is likely meant to be, or "".
 */
export function useDraftSteps() {
  const [likely, setLikely] = useState("")
  const counted = useRef<HTMLInputElement>(null)
  const locale = useLocale().code

  useEffect(() => {
    const form = counted.current?.form
    if (!form) return
    const changed = async ({ target }: Event) => {
      const { name, value } = target as HTMLInputElement
      if (name === "email") setLikely(await tellEmail(form, value, locale))
      else tellChoice(form, locale)
    }
    form.addEventListener("change", changed)
    return () => form.removeEventListener("change", changed)
  }, [locale])

  return { counted, likely, accepted: () => setLikely("") }
}
