// Tickers and names that no simulated asset may have: those of well-known real ones, and letters that read badly.

const TICKERS = new Set(
  words(`
    BTC ETH USDT XRP BNB SOL USDC DOGE ADA TRX AVAX SHIB DOT LINK BCH LTC MATIC POL UNI XLM XMR ETC ICP HBAR FIL APT ARB OP
    VET NEAR MKR AAVE GRT ALGO QNT EOS STX EGLD SAND MANA THETA AXS XTZ FTM IMX INJ RUNE KAVA NEO FLOW CHZ GALA SNX CRV LDO
    RNDR RENDER TON DAI TUSD BUSD FDUSD USDP PYUSD USDD USDE FRAX PAX GUSD EURC EURS XAUT PAXG WBTC STETH WETH LEO OKB CRO KCS
    HT BGB GT NEXO FTT CAKE DASH ZEC ZEN DCR DGB RVN SC STORJ AR HNT IOTA MIOTA XEM XNO NANO WAVES ZIL ONT ICX QTUM LSK KSM
    KDA KAS ERG ROSE ONE CELO CKB MINA GLMR MOVR ASTR SUI SEI TIA PYTH JUP JTO BONK WIF PEPE FLOKI BOME MEME ORDI SATS DYDX
    GMX PENDLE ENA ONDO WLD STRK ZK ZRO BLAST MNT METIS SKL LRC ENJ ENS APE BLUR MAGIC ILV YGG RON BEAM COMP YFI SUSHI BAL
    BAT ZRX OMG KNC REN BAND OCEAN FET AGIX TAO AKT LPT ANKR CVC SXP CTSI COTI CELR OGN RSR RAY SRM ORCA MNGO LUNA LUNC UST
    USTC ANC MIR OSMO ATOM JUNO SCRT EVMOS DYM ALT MANTA PIXEL PORTAL STG GNO SAFE CVX FXS RPL SSV AMP GLM HOT IOST IOTX JST
    BTT WIN SUN NFT TWT XDC XVS ALPHA TLM WAX WAXP WOO WEMIX XEC XVG HIVE STEEM ARK BSV BTG MONA NMR POWR REQ RLC SYS T TRB
    TRIBE UMA VTHO POLY REP MLN PERP RAD RARE REEF SLP SPELL SUPER TRAC USD EUR GBP JPY CHF CNY GOLD AAPL MSFT GOOG TSLA
    NVDA AMZN META NFLX IBM INTC ORCL SAP NASA NATO FBI CIA BMW UBS HSBC BBC CNN UMB SYLO TARA VELO VRA NAV PIVX KMD ZEPH XCH ORN
    ALEPH AERO AGLD HIFI KEY KLAY KLV LOOM LTO MDT MTL NKN NMC OXT PHA POND PROM QKC RIF SFP TKO TVK UTK VIDT WRX MOMO SAGA PRIME SOLV UMBRA
    HALO CODA CASH INFO DEMO SEPA ISIN SQL
  `),
);

const NAMES = new Set(
  words(`
    Bitcoin Ethereum Tether Ripple Solana Dogecoin Cardano Tron Avalanche Polkadot Chainlink Litecoin Polygon Uniswap Stellar
    Monero Filecoin Hedera Aptos Arbitrum Optimism Vechain Maker Aave Algorand Tezos Fantom Sonic Decentraland Theta
    Cosmos Osmosis Terra Luna Anchor Mirror Kava Harmony Celo Celestia Injective Kusama Moonbeam Astar Acala Ronin Gala
    Enjin Sandbox Pepe Bonk Floki Shiba Akita Orca Serum Raydium Jupiter Pendle Ethena Ondo Render Storj Siacoin Zcash
    Horizen Decred Ravencoin Komodo Lisk Ark Nem Stacks Immutable Loopring Starknet Scroll Linea Mantle Metis Boba
    Thorchain Centrifuge Sushi Balancer Yearn Synthetix Frax Binance Coinbase Kraken Huobi Valora Velora Aurora Elysia Nervos
    Mina Kaspa Ergo Beam Grin Dash Nano Iota Waves Qtum Icon Ontology Zilliqa Flow Near Helium Arweave Oasis Secret Juno
    Compound Curve Convex Lido Rocket Ankr Fetch Golem Ocean Numeraire Augur Gnosis Safe Venus Alpaca Verona Marvel Valero
    Mirion Altria Solvay Corvel Calista Lindor Korona
  `).map(word => word.toLowerCase()),
);

const READS_BADLY =
  /ANAL|ANUS|ASS|CNDM|CNT|COC|COK|CUM|CUN|DEAD|DIC|DIE|DIK|FAG|FKN|FUC|FUK|HIV|HOE|ISIS|JAP|KKK|LOLI|LUST|NAZ|NIG|PEE|PEN|PIS|PMS|POO|RAPE|SCAM|SEX|SHI|SHT|SLUT|TIT|VAG/;

export function isReservedTicker(ticker: string): boolean {
  return TICKERS.has(ticker) || READS_BADLY.test(ticker);
}

/** The first word counts: `Oasis Chain` would be taken for the real one, `Quiet Oasis` would not. */
export function isReservedName(name: string): boolean {
  return NAMES.has(name.split(' ')[0]!.toLowerCase());
}

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
