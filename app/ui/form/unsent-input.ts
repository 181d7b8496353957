import { useEffect } from "react"

/** A field that differs from what the page was loaded with: its text, or the button that was chosen or taken back. */
type Unsent = {
  readonly form: string
  readonly name: string
  readonly value: string
  /** Null for a text. */
  readonly isChecked: boolean | null
}

/** Neither passwords nor what the page itself fills in. */
const TEXTS = ["text", "number", "email", "search", "tel", "url", "textarea"]
const BUTTONS = ["radio", "checkbox"]

/**
 * Carries what is filled in, in the forms with an id and not sent yet, through a change of the language, which loads another document.
 * In this tab alone, until the document takes it. Stands before the forms, since their effects read their fields. `page`: what the forms
 * are about.
 */
export function UnsentInput({ page }: { page: string }) {
  useEffect(() => {
    for (const field of taken(page)) fillIn(field)
  }, [page])
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (changesLanguage(event)) store(page, [...document.forms].flatMap(unsentIn))
    }
    document.addEventListener("click", onClick)
    return () => document.removeEventListener("click", onClick)
  }, [page])
  return null
}

/** In this tab: another one would not take it. */
function changesLanguage({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isElsewhere = ctrlKey || metaKey || shiftKey
  return !isElsewhere && target instanceof Element && target.closest(".languages a") !== null
}

function unsentIn(form: HTMLFormElement): readonly Unsent[] {
  const fields = form.id === "" ? [] : [...form.elements].filter(isField)
  return fields.flatMap((it) => {
    const isChecked = changeOf(it)
    return isChecked === undefined ? [] : [{ form: form.id, name: it.name, value: it.value, isChecked }]
  })
}

type Field = HTMLInputElement | HTMLTextAreaElement

const isField = (it: Element): it is Field =>
  it instanceof HTMLInputElement || it instanceof HTMLTextAreaElement

/** See `Unsent.isChecked`; undefined for a field that is as it was. */
function changeOf(it: Field): boolean | null | undefined {
  if (TEXTS.includes(it.type)) return it.value === it.defaultValue ? undefined : null
  const isButton = it instanceof HTMLInputElement && BUTTONS.includes(it.type)
  return isButton && it.checked !== it.defaultChecked ? it.checked : undefined
}

function fillIn({ form, name, value, isChecked }: Unsent): void {
  const { elements = [] } = document.forms.namedItem(form) ?? {}
  const field = [...elements].filter(isField).find((it) => {
    return it.name === name && (isChecked === null ? TEXTS.includes(it.type) : it.value === value)
  })
  if (!field) return
  if (isChecked === null) field.value = value
  else if (field instanceof HTMLInputElement) field.checked = isChecked
  for (let fold = field.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true
}

const keyOf = (page: string) => `unsent ${page}`

/** A browser without session storage carries nothing. */
function store(page: string, fields: readonly Unsent[]): void {
  try {
    if (fields.length > 0) sessionStorage.setItem(keyOf(page), JSON.stringify(fields))
  } catch {}
}

function taken(page: string): readonly Unsent[] {
  try {
    const stored = sessionStorage.getItem(keyOf(page))
    sessionStorage.removeItem(keyOf(page))
    return stored === null ? [] : JSON.parse(stored)
  } catch {
    return []
  }
}
