import { useEffect, useState } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "../layout/use-hydrated"

const SHOWN_FOR = 30_000
const DOTS = "••••••••••"

/**
 * A credential with copy and reveal buttons. The buttons need script and are hidden without it. The value is always in the
 * page, and uncovered in print.
 */
export function Credential({
  label,
  value,
  secret = false,
}: {
  label: string
  value: string
  secret?: boolean
}) {
  const scripted = useHydrated()
  const [shown, setShown] = useState(false)
  const covered = scripted && secret && !shown
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => setShown(false), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [shown])

  return (
    <div className="credential">
      <span>
        <small>{label}</small>{" "}
        <code className={covered ? "covered" : undefined}>{covered ? DOTS : value}</code>
        {covered && <code className="printed">{value}</code>}
      </span>
      {scripted ? (
        <Buttons {...{ label, value, secret, shown }} onShow={() => setShown(!shown)} />
      ) : (
        <Room secret={secret} />
      )}
    </div>
  )
}

/**
 * Placeholder of the buttons until hydration, as wide as their labels, so that the layout does not shift.
 */
function Room({ secret }: { secret: boolean }) {
  const { t } = useTranslation()
  return (
    <span className="credential-buttons to-come">
      {secret && <b data-word={t("success.show")} />}
      <b data-word={t("success.copy")} />
    </span>
  )
}

type Press = { label: string; value: string; secret: boolean; shown: boolean; onShow(): void }

function Buttons({ label, value, secret, shown, onShow }: Press) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <span className="credential-buttons">
      {secret && (
        <button type="button" onClick={onShow}>
          {t(shown ? "success.hide" : "success.show")}
          <span className="hidden"> {label}</span>
        </button>
      )}
      {/* Without https browsers have no clipboard; a tap still selects the value. */}
      {"clipboard" in navigator && (
        <button type="button" onClick={copy}>
          <span aria-live="polite">{t(copied ? "success.copied" : "success.copy")}</span>
          <span className="hidden"> {label}</span>
        </button>
      )}
    </span>
  )
}
