import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { z } from "zod"
import { eventData, WebhookEvent } from "~/domain/webhooks/event-schemas"
import { eventDescriptions, webhookEventTypes } from "~/domain/webhooks/event-types"
import { webhookExamples } from "./webhook-examples"

const introduction = readFileSync(new URL("webhooks-introduction.txt", import.meta.url), "utf8")

const schema = z
  .object(Object.fromEntries(webhookEventTypes.map((type) => [type, eventData[type]])))
  .describe("The data of each type of event")

function sectionOf(type: (typeof webhookEventTypes)[number], index: number): string {
  const event = WebhookEvent.parse({
    id: `evt_${index + 1}`,
    type,
    timestamp: "2026-11-20T12:00:00.000Z",
    sequence: Date.UTC(2026, 10, 20, 12),
    data: webhookExamples[type],
  })
  const json = JSON.stringify(event, null, 2)
  return `\n### ${type}\n\n${eventDescriptions[type]}\n\n\`\`\`json\n${json}\n\`\`\`\n`
}

test("docs/webhooks.md has an example of each event", async () => {
  const page = `${introduction}${webhookEventTypes.map(sectionOf).join("")}`
  await expect(page).toMatchFileSnapshot("../../docs/webhooks.md")
})

test("docs/webhook-events.schema.json is the schema of the events' data", async () => {
  const json = `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`
  await expect(json).toMatchFileSnapshot("../../docs/webhook-events.schema.json")
})

test.each(webhookEventTypes)("the example of %s matches its schema and has nothing else", (type) => {
  expect(eventData[type].strict().parse(webhookExamples[type])).toEqual(webhookExamples[type])
})
