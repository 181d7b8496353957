import type { OrderKind } from "~/domain/orders/order"
import type { MessageContent, OrderInMail } from "../../message"
import type { Block, Receipt } from "../message-document"

/** The content of one message, or of several with the same shape. */
export type ContentOf<Name extends MessageContent["name"]> = Extract<MessageContent, { readonly name: Name }>

/** What a message says between the brand and the footer; its subject is its heading. */
export type Composed = {
  readonly subject: string
  readonly preview: string
  readonly blocks: readonly Block[]
  readonly receipt: Receipt | null
  /** Why the recipient has it: key of the footer's sentence. */
  readonly reason: "order" | "account" | "sign-in" | "address" | "reminder" | "service"
}

/** What was bought: the texts about it differ. A reseller's line causes no message. */
export function boughtIn({ kind }: OrderInMail): Exclude<OrderKind, "line"> {
  return kind === "line" ? "plan" : kind
}

export function paragraph(text: string, strong: string | null = null): Block {
  return { kind: "paragraph", text, strong }
}

export function note(text: string): Block {
  return { kind: "note", text }
}

export function button(label: string, url: string): Block {
  return { kind: "button", label, url }
}
