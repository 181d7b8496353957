import type { FormFields } from "~/http/form-client.server"

/** Separator in the admin notes of a service: staff notes above it, the customer's notes below. */
const CUSTOMER = "— customer —"
/** Marks a line that is terminated only to be recreated; without it a terminated line stays terminated. */
const RESTARTING = "— restarting —"

type Notes = { readonly staff: string; readonly customer: string; readonly restarting: boolean }

export function notesIn(text: string): Notes {
  const lines = text.replaceAll("\r\n", "\n").split("\n")
  const restarting = lines.includes(RESTARTING)
  const remaining = lines.filter((line) => line !== RESTARTING)
  const at = remaining.indexOf(CUSTOMER)
  const staff = (at < 0 ? remaining : remaining.slice(0, at)).join("\n").trim()
  return { staff, customer: at < 0 ? "" : remaining.slice(at + 1).join("\n"), restarting }
}

/** UpdateClientProduct ignores empty notes, so `unset` clears them. */
export function notesChange(notes: Notes): FormFields {
  const text = notesText(notes)
  return text === "" ? { unset: ["notes"] } : { notes: text }
}

export function notesText({ staff, customer, restarting }: Notes): string {
  return [
    ...(staff === "" ? [] : [staff]),
    ...(restarting ? [RESTARTING] : []),
    ...(customer === "" ? [] : [CUSTOMER, customer]),
  ].join("\n")
}
