import { useEffect, useRef, useState } from "react"
import { useLocale } from "~/i18n/use-locale"
import { tellChoice, tellEmail } from "./tell-step"

/**
 * `email`: the address that the typed one is likely meant to be, or "". `isNext`: the field was left by Tab, which would have led to the
 * offer if it had been there, and nothing was done since.
 */
type Offer = { readonly email: string; readonly isNext: boolean }

/** Tells the server of the first choice and of each e-mail while the form of the field is filled in. */
export function useDraftSteps() {
  const [offer, setOffer] = useState<Offer>()
  const counted = useRef<HTMLInputElement>(null)
  const locale = useLocale().code

  useEffect(() => {
    const form = counted.current?.form
    if (!form) return
    let isNext = false
    form.onchange = async ({ target }: Event) => {
      const { name, value } = target as HTMLInputElement
      if (name === "email") setOffer({ email: await tellEmail(form, value, locale), isNext })
      else tellChoice(form, locale)
    }
    form.onpointerdown = form.onkeydown = ({ key, shiftKey, target }: Partial<KeyboardEvent>) => {
      isNext = key === "Tab" && !shiftKey && (target as HTMLInputElement).name === "email"
    }
  }, [locale])

  return { counted, offer, accepted: () => setOffer(undefined) }
}
