/** Marks a WHMCS order or invoice with the checkout's order number, which is unguessable, so that it is known again. */
export function noteOf({ orderId }: { readonly orderId: string }): string {
  return `Checkout order ${orderId}`
}

const ANY_MARK = /Checkout order \S+/

/** Whether a text, such as the notes of a WHMCS order, has the mark of any order of a shop. */
export function isMarked(text: string): boolean {
  return ANY_MARK.test(text)
}

/** Whether a text has the mark of an order; null: it has no mark, which an installation may drop. */
export function hasMarkOf(text: string, orderId: string): boolean | null {
  if (text.includes(noteOf({ orderId }))) return true
  return isMarked(text) ? false : null
}
