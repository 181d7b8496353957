import { useEffect, useRef, useState } from "react"
import { useTranslation } from "~/i18n/use-translation"
import { useHydrated } from "./use-hydrated"

const SHOWN_FOR = 30_000
const DOTS = "••••••"

/**
 * A credential with a copy button, which needs script and is hidden without it. A secret is covered by a `details`
 * element, which works without script; it is uncovered in print.
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
  return (
    <div className="credential">
      <div className="credential-value">
        <small>{label}</small> {secret ? <Covered value={value} label={label} /> : <Open value={value} />}
      </div>
      {scripted ? <CopyButton label={label} value={value} /> : <Room />}
    </div>
  )
}

/** An address breaks after its scheme, if it has to. */
function Open({ value }: { value: string }) {
  const scheme = value.indexOf("//") + 2
  if (scheme === 1) return <code>{value}</code>
  return (
    <code>
      {value.slice(0, scheme)}
      <wbr />
      {value.slice(scheme)}
    </code>
  )
}

/** With script it is covered again after a while. */
function Covered({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const cover = useRef<HTMLDetailsElement>(null)
  const [shown, setShown] = useState(false)
  // The visitor may have opened it before hydration.
  useEffect(() => setShown(cover.current?.open ?? false), [])
  useEffect(() => {
    if (!shown) return
    const timer = setTimeout(() => {
      if (cover.current) cover.current.open = false
    }, SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <>
      <details ref={cover} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
        <summary>
          <span className="dots" aria-hidden="true">
            {DOTS}
          </span>
          <span className="button">
            <span className="to-show">{t("success.show")}</span>
            <span className="to-hide">{t("success.hide")}</span>
            <span className="hidden"> {label}</span>
          </span>
        </summary>
        <code>{value}</code>
      </details>
      <code className="printed">{value}</code>
    </>
  )
}

/** Placeholder of the copy button until hydration, as wide as its label, so that the layout does not shift. */
function Room() {
  const { t } = useTranslation()
  return (
    <span className="credential-buttons to-come">
      <b data-word={t("success.copy")} />
    </span>
  )
}

function CopyButton({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  // Without https browsers have no clipboard; a tap still selects the value.
  if (!("clipboard" in navigator)) return null
  const copy = () =>
    void navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <span className="credential-buttons">
      <button type="button" onClick={copy}>
        <span aria-live="polite">{t(copied ? "success.copied" : "success.copy")}</span>
        <span className="hidden"> {label}</span>
      </button>
    </span>
  )
}
