import { useRef, useState } from "react"
import { Link } from "react-router"
import { useOpenedFocus } from "../form/opened-focus"
import { useHydrated } from "../layout/use-hydrated"

type Choice = { readonly text: string; readonly href: string; readonly isCurrent: boolean }

/** A message for a reseller's customer, and all texts of its card in the reseller's language. */
export type LineMessageView = {
  readonly heading: string
  readonly kindLabel: string
  readonly kinds: readonly Choice[]
  readonly languageLabel: string
  readonly languages: readonly (Choice & { readonly iso: string })[]
  readonly label: string
  readonly note: string
  readonly copy: string
  readonly copied: string
  /** Language of the text (BCP 47). */
  readonly language: string
  readonly text: string
}

/**
 * What a reseller sends to a customer: a text to change and to copy. Without script it is selected by hand. It is above the
 * list that it was opened from, and gets focus.
 */
export function LineMessage({ view }: { view: LineMessageView }) {
  const { heading, kindLabel, kinds, languageLabel, languages, label, note, language, text } = view
  const field = useRef<HTMLTextAreaElement>(null)
  const head = useOpenedFocus()
  return (
    <section className="card line-message" id="message">
      <h2 tabIndex={-1} ref={head}>
        {heading}
      </h2>
      {kinds.length > 1 && (
        <nav aria-label={kindLabel}>
          {kinds.map((kind) => (
            <ChoiceLink key={kind.href} choice={kind} />
          ))}
        </nav>
      )}
      <nav aria-label={languageLabel}>
        {languages.map((choice) => (
          <ChoiceLink key={choice.iso} choice={choice} lang={choice.iso} />
        ))}
      </nav>
      <textarea
        key={text}
        ref={field}
        aria-label={label}
        lang={language}
        rows={text.split("\n").length + 3}
        defaultValue={text}
        spellCheck={false}
      />
      <CopyMessage view={view} textOf={() => field.current?.value ?? text} />
      <p className="note">{note}</p>
    </section>
  )
}

function ChoiceLink({ choice: { text, href, isCurrent }, lang }: { choice: Choice; lang?: string }) {
  return (
    <Link
      className="quiet"
      to={href}
      lang={lang}
      aria-current={isCurrent ? "true" : undefined}
      preventScrollReset
    >
      {text}
    </Link>
  )
}

/** Without https browsers have no clipboard. */
function CopyMessage({ view: { copy, copied }, textOf }: { view: LineMessageView; textOf: () => string }) {
  const hasScript = useHydrated()
  const [copiedText, setCopiedText] = useState<string | null>(null)
  if (!hasScript || !("clipboard" in navigator)) return null
  const press = () => {
    const text = textOf()
    void navigator.clipboard.writeText(text).then(
      () => setCopiedText(text),
      () => setCopiedText(null),
    )
  }
  return (
    <button type="button" className="main" onClick={press}>
      <span aria-live="polite">{copiedText === null ? copy : copied}</span>
    </button>
  )
}
