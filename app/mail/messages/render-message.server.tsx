import { renderToStaticMarkup } from "react-dom/server"
import type { MessageContent, MessageSetting, RenderedMessage } from "../message"
import { composeMessage } from "./compose/compose-message"
import { MessageHtml } from "./message-html"
import { messageText } from "./message-text"

/**
 * Renders a message: subject of one line, HTML and text. Never contains a password or other login details: the content
 * has none.
 */
export function renderMessage(content: MessageContent, setting: MessageSetting): RenderedMessage {
  const message = composeMessage(content, setting)
  const html = renderToStaticMarkup(<MessageHtml message={message} colours={setting.colours} />)
  return {
    subject: message.subject,
    html: `<!doctype html>${html.replace(INVISIBLE, asEntity)}`,
    text: messageText(message),
  }
}

/** Format characters: those of the preview's filler, and any that a name brings along. */
const INVISIBLE = /\p{Cf}|\u034f/gu

/** As an entity, an invisible character is visible in the source. */
function asEntity(character: string): string {
  return `&#${character.codePointAt(0)};`
}
