import { expect, test } from "vitest"
import { specifiedNames } from "../../../tests/contracts/billing/specified-calls"
import { calls } from "./endpoints"
import { apiDescription } from "./openapi"

const described = JSON.parse(JSON.stringify(apiDescription("https://shop.test")))

type Operation = {
  operationId: string
  security: Record<string, []>[]
  parameters?: { name: string; in: string; required: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>
}

test("the OpenAPI 3.1 description contains every endpoint of the spec", () => {
  expect(described.openapi).toMatch(/^3\.1\.\d$/)
  const specified = specifiedNames.map((name) => new URL(name, "https://shop.test/checkout/api/").pathname)
  expect(specified).toHaveLength(26)
  expect(Object.keys(described.paths)).toEqual(expect.arrayContaining(specified))
})

test.each(Object.entries(calls))(
  "the OpenAPI description of %s matches its method, security and parameters",
  (name, { method, owned, request }) => {
    const path = described.paths[`/checkout/api/${name}`]
    expect(Object.keys(path)).toEqual([method.toLowerCase()])
    const operation: Operation = path[method.toLowerCase()]
    expect(operation.operationId).toBe(name)
    expect(Object.keys(operation.security[0] ?? {})).toEqual(owned ? ["key", "customer"] : ["key"])
    const named =
      method === "GET"
        ? operation.parameters?.map((it) => it.name)
        : Object.keys(operation.requestBody?.content["application/json"]?.schema.properties ?? {})
    expect(named).toEqual(Object.keys(request.shape))
  },
)

const operations: Operation[] = Object.values(described.paths).flatMap((path) =>
  Object.values(path as object),
)
const keyed = operations.filter(({ operationId }) => operationId !== "new_click")

test("the OpenAPI description names the shop as its server, and every path begins with a slash", () => {
  expect(described.servers).toEqual([{ url: "https://shop.test" }])
  for (const path of Object.keys(described.paths)) expect(path).toMatch(/^\/checkout\//)
})

test("new_click needs no key, accepts JSON and forms, and describes its responses with and without a key", () => {
  const { post } = described.paths["/checkout/aff/new_click"]
  expect(post.security).toEqual([{ key: [] }, {}])
  expect(Object.keys(post.requestBody.content)).toEqual([
    "application/json",
    "application/x-www-form-urlencoded",
  ])
  expect(Object.keys(post.responses)).toEqual(["200", "204", "400", "401", "405", "429"])
})

test("OpenAPI operation ids are unique, and every response of a call with a key has a schema", () => {
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { responses } of keyed) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "401", "404", "429", "503"]))
    expect(responses["200"]?.content["application/json"]?.schema).toMatchObject({ type: "object" })
  }
})

test("the OpenAPI description marks required and optional parameters", () => {
  const { parameters }: Operation = described.paths["/checkout/api/order"].get
  const required = parameters?.filter((it) => it.required).map(({ name }) => name)
  expect(required).toEqual(["userid", "paymentmethod", "amount", "currency"])
  expect(parameters?.find(({ name }) => name === "amount")?.schema).toMatchObject({ type: "string" })
})

test("every $ref of the OpenAPI description resolves", () => {
  const pointers = [...JSON.stringify(described).matchAll(/"\$ref":"#([^"]+)"/g)].map(([, path = ""]) => path)
  expect(pointers.length).toBeGreaterThan(0)
  for (const path of new Set(pointers)) {
    const found = path
      .split("/")
      .slice(1)
      .reduce<unknown>((at, name) => Object(at)[name], described)
    expect(found).toBeDefined()
  }
})
