// Calls every method of go-gecko that has a path here, and prints what it parsed as JSON. Arguments: the base address, an API key, a coin.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	coingecko "github.com/superoo7/go-gecko/v3"
)

const theirs = "/api/v3"

// The package has its base address in a constant; everything else of a request stays as it is.
type elsewhere struct {
	base *url.URL
	key  string
}

func (to elsewhere) RoundTrip(request *http.Request) (*http.Response, error) {
	changed := request.Clone(request.Context())
	changed.URL.Scheme, changed.URL.Host, changed.Host = to.base.Scheme, to.base.Host, to.base.Host
	changed.URL.Path = to.base.Path + strings.TrimPrefix(request.URL.Path, theirs)
	changed.Header.Set("x-cg-demo-api-key", to.key)
	return http.DefaultTransport.RoundTrip(changed)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	base := must(url.Parse(os.Args[1]))
	coin := os.Args[3]
	client := coingecko.NewClient(&http.Client{Transport: elsewhere{base, os.Args[2]}})
	detail := must(client.CoinsID(coin, true, true, true, true, true, true))
	chart := must(client.CoinsIDMarketChart(coin, "usd", "30"))
	list := must(client.CoinsList())
	markets := must(client.CoinsMarket("usd", []string{}, "market_cap_desc", 5, 1, true, []string{"24h", "7d"}))
	_, unknown := client.CoinsID("nobody", false, false, false, false, false, false)
	result := map[string]any{
		"ping":       must(client.Ping()).GeckoSays,
		"price":      must(client.SimplePrice([]string{coin}, []string{"usd"})),
		"single":     must(client.SimpleSinglePrice(coin, "usd")).MarketPrice,
		"currencies": must(client.SimpleSupportedVSCurrencies()),
		"coins":      len(*list),
		"markets":    *markets,
		"id":         detail.ID,
		"usd":        detail.MarketData.CurrentPrice["usd"],
		"prices":     *chart.Prices,
		"active":     must(client.Global()).ActiveCryptocurrencies,
		"unknown":    unknown.Error(),
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}
