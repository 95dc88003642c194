import { Effect, Schedule, Schema } from "effect"
import { defineTool, HarnessError, hasCode, Tool } from "effect-harness"

class SupplierBusy extends HarnessError.extend<SupplierBusy>("SupplierBusy")({
  _tag: Schema.tag("SupplierBusy"),
}) {
  readonly code = "SUPPLIER_BUSY"
  readonly retry = "later"
}

class PriceUnknown extends HarnessError.extend<PriceUnknown>("PriceUnknown")({
  _tag: Schema.tag("PriceUnknown"),
  item: Schema.String,
}) {
  readonly code = "PRICE_UNKNOWN"
  readonly retry = "never"
}

let asked = 0

const supplierPrice = defineTool({
  name: "supplier_price",
  description: "Today's price of an item, in cents.",
  parameters: { item: { type: "string", required: true } },
  run: ({ item }): Effect.Effect<number, SupplierBusy | PriceUnknown> => {
    asked += 1
    if (asked === 1) return Effect.fail(new SupplierBusy({ message: "The supplier counts its stock." }))
    if (item === "lamp") return Effect.succeed(1950)
    return Effect.fail(new PriceUnknown({ message: `The supplier has no ${item}.`, item }))
  },
})

const catalogPrice = defineTool({
  name: "catalog_price",
  description: "The price of an item in last year's catalog, in cents.",
  parameters: { item: { type: "string", required: true } },
  run: ({ item }) => Effect.succeed(item.length * 100),
})

const label = defineTool({
  name: "label",
  description: "What stands on the shelf.",
  parameters: { item: { type: "string", required: true }, cents: { type: "integer", required: true } },
  run: ({ item, cents }) => Effect.succeed(`${item}: ${(cents / 100).toFixed(2)} EUR`),
})

// Another run helps when the supplier is busy. It never helps when the supplier does not know the price.
const patientPrice = supplierPrice.pipe(
  Tool.retry({ schedule: Schedule.exponential("10 millis"), times: 3, while: ["SUPPLIER_BUSY"] }),
)

const shelf = (item: string): Effect.Effect<string> =>
  Tool.run(patientPrice)(JSON.stringify({ item })).pipe(
    Effect.catchIf(hasCode("PRICE_UNKNOWN"), (error) =>
      Tool.run(catalogPrice)(JSON.stringify({ item: error.item })),
    ),
    Effect.flatMap((cents) => Tool.run(label)(JSON.stringify({ item, cents }))),
    Effect.catchTags({
      SupplierBusy: () => Effect.succeed(`${item}: ask again tomorrow`),
      ToolArgsMalformed: (error) => Effect.succeed(`${item}: ${error.message}`),
      ToolArgsInvalid: (error) => Effect.succeed(`${item}: ${error.message}`),
      ToolDenied: (error) => Effect.succeed(`${item}: ${error.reason}`),
      ToolOutputInvalid: (error) => Effect.succeed(`${item}: ${error.message}`),
    }),
  )

for (const item of ["lamp", "chair"]) console.log(await Effect.runPromise(shelf(item)))
console.log(`${asked} questions to the supplier`)
