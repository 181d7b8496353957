import { type Filled, sentValue } from "./form-control"
import { attribute, type Element, elements, textOf } from "./html-tree"

/** The button to press, by name, value or text. By default the form's first, as with Enter. */
export type Button = { name?: string; value?: string; text?: string | RegExp }

/** Values to fill in: text, the value of a radio button or a select, true or false for a checkbox. */
export type Fields = Readonly<Record<string, Filled>>

export type Submission = { action: string; method: "get" | "post"; entries: [string, string][] }

/** A form with all its controls, including those outside of its element (`form` attribute). */
export class HtmlForm {
  constructor(
    readonly form: Element,
    readonly controls: readonly Element[],
  ) {}

  has(field: string): boolean {
    return this.controls.some((it) => attribute(it, "name") === field)
  }

  /** Finds an enabled submit button. */
  button(wanted: Button): Element | undefined {
    return this.controls.filter(isSubmit).find((it) => isThe(wanted, it))
  }

  /**
   * Returns the form data after filling in fields and pressing a button. Throws if the form has no such field or value.
   */
  submission(pressed: Element | undefined, fields: Fields): Submission {
    for (const name of Object.keys(fields)) this.#mustTake(name, fields[name])
    const own = this.controls.flatMap((it) => entryOf(it, fields))
    const button = pressed && attribute(pressed, "name")
    const body = (name: string) =>
      (pressed && attribute(pressed, `form${name}`)) ?? attribute(this.form, name)
    return {
      action: body("action") ?? "",
      method: body("method")?.toLowerCase() === "post" ? "post" : "get",
      entries: button ? [...own, [button, attribute(pressed, "value") ?? ""]] : own,
    }
  }

  #mustTake(name: string, value: Filled | undefined): void {
    const named = this.controls.filter((it) => attribute(it, "name") === name && !isSubmit(it))
    if (named.length === 0) throw new Error(`The form has no field "${name}"`)
    const radios = named.filter((it) => attribute(it, "type") === "radio")
    const offered = radios.map((it) => attribute(it, "value") ?? "on")
    if (radios.length > 0 && !offered.includes(String(value))) {
      throw new Error(`"${name}" offers ${offered.join(", ")} and not ${value}`)
    }
  }
}

/** Assigns the enabled controls of a document to its forms. */
export function formsIn(document: Parameters<typeof elements>[0]): HtmlForm[] {
  const all = elements(document, isControl).filter((it) => !isDisabled(it))
  return elements(document, ({ tagName }) => tagName === "form").map((form) => {
    const id = attribute(form, "id")
    return new HtmlForm(
      form,
      all.filter((it) => {
        const elsewhere = attribute(it, "form")
        return elsewhere === null ? ancestors(it).includes(form) : elsewhere === id
      }),
    )
  })
}

function isControl({ tagName }: Element): boolean {
  return ["input", "button", "select", "textarea"].includes(tagName)
}

function isDisabled(element: Element): boolean {
  const fieldsets = ancestors(element).filter(({ tagName }) => tagName === "fieldset")
  return [element, ...fieldsets].some((it) => attribute(it, "disabled") !== null)
}

function ancestors(element: Element): Element[] {
  const { parentNode } = element
  return parentNode && "tagName" in parentNode ? [parentNode, ...ancestors(parentNode)] : []
}

function isSubmit(element: Element): boolean {
  const type = attribute(element, "type")
  if (element.tagName === "button") return type === null || type === "submit"
  return element.tagName === "input" && (type === "submit" || type === "image")
}

function isThe({ name, value, text }: Button, button: Element): boolean {
  if (name !== undefined && attribute(button, "name") !== name) return false
  if (value !== undefined && attribute(button, "value") !== value) return false
  const message = textOf(button)
  return text === undefined || (typeof text === "string" ? message.includes(text) : text.test(message))
}

function entryOf(control: Element, fields: Fields): [string, string][] {
  const name = attribute(control, "name")
  if (!name || isSubmit(control)) return []
  const value = sentValue(control, fields[name])
  return value === null ? [] : [[name, value]]
}
