import { expect, test } from "vitest"
import { withNonBreakingValues } from "./non-breaking-values.server"

const whole = (text: string) => `<span class="whole">${text}</span>`

test.each([
  ["<p>from 2027-03-01 on</p>", `<p>from ${whole("2027-03-01")} on</p>`],
  ["<td>2027-03-01 09:05</td>", `<td>${whole("2027-03-01 09:05")}</td>`],
  ["<b>-€1,234.50</b>, £5.00", `<b>${whole("-€1,234.50")}</b>, £5.00`],
  ["<p>AB-2027-3 and 12.50</p>", "<p>AB-2027-3 and 12.50</p>"],
])("in %s a day or an amount stays whole", (html, expected) => {
  expect(withNonBreakingValues(html)).toBe(expected)
})

test.each([
  '<input type="date" value="2027-03-01"/>',
  "<title>Until 2027-03-01</title>",
  '<option value="1">-€5.00</option>',
  "<textarea>2027-03-01</textarea>",
  "<script>const day = '2027-03-01'</script>",
])("%s is left as it is", (html) => {
  expect(withNonBreakingValues(html)).toBe(html)
})

test("text after an element that holds text alone is text again", () => {
  expect(withNonBreakingValues("<option>-€1.00</option></select> -€2.00")).toBe(
    `<option>-€1.00</option></select> ${whole("-€2.00")}`,
  )
})
