import { HONEYPOT } from "~/domain/forms/honeypot"
import { type RefusedForm, typedInto } from "~/domain/refused-form"

/**
 * Not shown, not read out and not reached by the keyboard. A form that was refused for it comes without it: a browser that
 * fills it in would fill it in again.
 */
export function HoneypotField({ lastResult }: { lastResult: RefusedForm | null | undefined }) {
  if (typedInto(HONEYPOT, lastResult)) return null
  return (
    <div className="hidden" aria-hidden="true">
      <input name={HONEYPOT} tabIndex={-1} autoComplete="off" />
    </div>
  )
}
