import type { BrandColours } from "~/domain/shop/brand-colours"
import type { Block, MessageDocument } from "./message-document"
import { type MessageStyles, messageStyles, styleSheet } from "./message-style"
import {
  Brand,
  Button,
  Card,
  Closing,
  Code,
  Commands,
  Footer,
  Heading,
  Layout,
  Note,
  Outside,
  Paragraph,
  ReceiptTable,
} from "./primitives"

type Props = { readonly message: MessageDocument; readonly colours: BrandColours }

/** The HTML of a message. */
export function MessageHtml({ message, colours }: Props) {
  const { locale, subject, preview, shopName, heading, blocks, receipt, closing, footer } = message
  const styles = messageStyles(colours)
  return (
    <Layout
      language={locale.iso}
      title={subject}
      preview={preview}
      styleSheet={styleSheet(colours)}
      styles={styles}
    >
      <Brand name={shopName} styles={styles} />
      <Card styles={styles}>
        <Heading styles={styles}>{heading}</Heading>
        {blocks.map((block) => (
          <BlockHtml key={JSON.stringify(block)} block={block} styles={styles} />
        ))}
      </Card>
      {receipt && (
        <Card styles={styles}>
          <ReceiptTable receipt={receipt} styles={styles} />
        </Card>
      )}
      <Outside styles={styles}>
        {(closing.text !== null || closing.support !== null) && (
          <Closing text={closing.text} support={closing.support} styles={styles} />
        )}
        <Footer
          reason={footer.reason}
          seller={footer.seller}
          shop={footer.shop}
          legal={footer.legal}
          unsubscribe={footer.unsubscribe}
          styles={styles}
        />
      </Outside>
    </Layout>
  )
}

function BlockHtml({ block, styles }: { readonly block: Block; readonly styles: MessageStyles }) {
  switch (block.kind) {
    case "button":
      return <Button label={block.label} url={block.url} styles={styles} />
    case "code":
      return <Code styles={styles}>{block.code}</Code>
    case "commands":
      return <Commands label={block.label} commands={block.commands} styles={styles} />
    case "note":
      return <Note styles={styles}>{block.text}</Note>
    case "paragraph":
      return <Paragraph text={block.text} strong={block.strong} styles={styles} />
  }
}
