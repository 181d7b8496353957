import { createContext, useContext } from "react"
import { useTranslation } from "~/i18n/use-translation"

/** The operator's support page or mail address; null if none is configured, and then no page promises any. */
export const SupportContext = createContext<string | null>(null)

export function useSupport(): string | null {
  return useContext(SupportContext)
}

/** The way to support beside a text that names it: a page, or an address to write to. Nothing without a contact. */
export function SupportLink() {
  const { t } = useTranslation()
  const support = useSupport()
  if (support === null) return null
  const [scheme, address = ""] = support.split(/:|\?/, 2)
  return (
    <a className="quiet support" href={support} rel="noreferrer">
      {t("success.support")}
      {scheme === "mailto" && `: ${address}`}
    </a>
  )
}
