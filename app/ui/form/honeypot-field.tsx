import { HONEYPOT } from "~/domain/forms/honeypot"

/** Not shown, not read out and not reached by the keyboard. */
export function HoneypotField() {
  return (
    <div className="hidden" aria-hidden="true">
      <input name={HONEYPOT} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
