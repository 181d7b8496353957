import type { Block, Link, MessageDocument, Receipt, ReceiptRow } from "./message-document"

/** The message as plain text: the same words, amounts and links in the same order as in the HTML. */
export function messageText({
  shopName,
  heading,
  blocks,
  receipt,
  closing,
  footer,
}: MessageDocument): string {
  const parts = [
    shopName,
    underlined(heading),
    ...blocks.map(blockText),
    ...(receipt ? [receiptText(receipt)] : []),
    [closing.text, closing.support && linkText(closing.support)].filter(Boolean).join("\n"),
    // Mail programs fold what follows this line.
    [
      "-- ",
      footer.reason,
      footer.seller,
      linkText(footer.shop),
      footer.legal.map(linkText).join("\n"),
      footer.unsubscribe && linkText(footer.unsubscribe),
    ]
      .filter(Boolean)
      .join("\n"),
  ]
  return `${parts.filter(Boolean).join("\n\n")}\n`
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "button":
      return `${block.label}:\n${addressIn(block.url)}`
    case "code":
      return `    ${block.code}`
    case "commands":
      return [`${block.label}:`, ...block.commands.map((it) => `    ${it}`)].join("\n")
    default:
      return block.text
  }
}

function receiptText({ title, order, lines, sums, result, notes }: Receipt): string {
  return [
    underlined(title),
    order,
    "",
    ...lines.map(rowText),
    ...sums.map(rowText),
    rowText(result),
    "",
    ...notes,
  ].join("\n")
}

const rowText = ({ label, amount }: ReceiptRow) => `${label}: ${amount}`
const linkText = ({ label, url }: Link) => `${label}: ${addressIn(url)}`

/** What a person reads or copies of a link: of one that writes an email, its address alone. */
const addressIn = (url: string) => /^mailto:([^?]+)/.exec(url)?.[1] ?? url
const underlined = (text: string) => `${text}\n${"-".repeat([...text].length)}`
