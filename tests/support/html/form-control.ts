import { attribute, type Element, elements, textOf } from "./html-tree"

/** A value to fill in: text, the value of a radio button or a select, true or false for a checkbox. */
export type Filled = string | boolean

type Read = (control: Element, filled: Filled | undefined) => string | null

/** Returns what a control submits, filled in or unchanged; null if it submits nothing. */
export const sentValue: Read = (control, filled) => {
  const kind = control.tagName === "input" ? (attribute(control, "type") ?? "text") : control.tagName
  return (reads[kind] ?? text)(control, filled)
}

const text: Read = (control, filled) => String(filled ?? attribute(control, "value") ?? "")

const reads: Readonly<Record<string, Read>> = {
  textarea: (control, filled) => String(filled ?? textOf(control)),
  select: (control, filled) => String(filled ?? selected(control)),
  radio: (control, filled) => {
    const isChosen = filled === undefined ? isChecked(control) : filled === ownValue(control)
    return isChosen ? ownValue(control) : null
  },
  checkbox: (control, filled) => ((filled ?? isChecked(control)) ? ownValue(control) : null),
  button: () => null,
  reset: () => null,
}

function isChecked(control: Element): boolean {
  return attribute(control, "checked") !== null
}

function ownValue(control: Element): string {
  return attribute(control, "value") ?? "on"
}

function selected(select: Element): string {
  const options = elements(select, ({ tagName }) => tagName === "option")
  const chosen = options.find((it) => attribute(it, "selected") !== null) ?? options[0]
  return chosen ? (attribute(chosen, "value") ?? textOf(chosen)) : ""
}
