"""The page of a replay: what is in it, who may see what of it, and how it goes in a browser."""

import json
import random
import re
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from cardenvs import BatchGame, games
from cardenvs.core.portrayal import HIDDEN
from cardenvs.render.journal import Journal
from cardenvs.replay import load, save, to_html
from cardenvs.replay.page import page_data

GOLDEN = Path(__file__).parent / "golden"
DEALS = [(name, n) for name in games.VERSIONS for n in range(2, 6) if n <= games.get(name).players[1]]
CHROMIUM, DRIVER = (shutil.which(program) for program in ("chromium", "chromedriver"))


def play(path, name, players, agents=(), **options):
    """A random game of at most 200 decisions, with a remark on every second one, saved and loaded."""
    game = BatchGame(name, seed=players, num_players=players, **({"max_decisions": 200} | options))
    journal, rng = Journal(game), random.Random(players)
    game.reset()
    while game.actor[0] >= 0:
        legal = journal.position["legal"]
        if len(journal.actions) % 2 == 0:
            journal.remark(probabilities={action: 1 / len(legal) for action in legal}, value=-0.25)
        game.step([game.action_index(rng.choice(legal))])
    return load(save(path, journal, agents))


def shown(data, viewer):
    """The parts of each step's view, as the page puts them together."""
    number, found, before = 0 if viewer is None else viewer + 1, [], []
    for step in data["steps"]:
        before = [new or old for new, old in zip(step["views"][number], before or step["views"][number], strict=True)]
        found.append([data["parts"][part] for part in before])
    return found


# --- the data ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), DEALS)
def test_a_seat_is_shown_no_card_of_another_hand(name, players, tmp_path):
    record = play(tmp_path / "game.jsonl", name, players)
    data = page_data(record)
    positions = [record.start, *(decision["snapshot"] for decision in record.decisions)]
    for viewer in range(players):
        for position, parts in zip(positions, shown(data, viewer), strict=True):
            for seat, part in enumerate(parts[:players]):
                hand = position.get("hands", [{}] * players)[seat]
                hidden = {HIDDEN: sum(hand.values())} if "hands" in position else {}
                assert part.get("hand", {}) == (hand if seat == viewer else hidden)
                assert all(pile["top"] is None for pile in part.get("piles", []))


@pytest.mark.parametrize(("name", "players"), DEALS)
def test_nothing_in_a_seats_view_depends_on_what_it_does_not_see(name, players, tmp_path):
    record = play(tmp_path / "game.jsonl", name, players)
    data = page_data(record)
    for viewer in range(players):
        disguised = page_data(disguise(record, viewer))
        assert shown(disguised, viewer) == shown(data, viewer)
        assert shown(disguised, None) != shown(data, None)


def disguise(record, viewer):
    """The same game with other cards in place of those that a seat does not see."""
    portrayal = games.get(record.header["game"]).portrayal
    kinds = list(portrayal.faces)
    other = dict(zip(kinds, [*kinds[1:], kinds[0]], strict=True))

    def changed(position):
        told = {**position, "legal": position["legal"] if viewer == position["actor"] else ["wild", "accept"]}
        if "decks" in position:
            return told | {
                key: [[other[card] for card in pile] for pile in position[key]] for key in ("decks", "face_down")
            }
        hands = [{other[kind]: n for kind, n in hand.items()} for hand in position["hands"]]
        hands[viewer] = position["hands"][viewer]
        return told | {"hands": hands, "draw_pile": [other[card] for card in position["draw_pile"]]}

    before, decisions = record.start, []
    for decision in record.decisions:
        name = other[decision["name"]] if portrayal.is_secret(before, viewer) else decision["name"]
        decisions.append({**decision, "name": name, "snapshot": changed(decision["snapshot"])})
        before = decision["snapshot"]
    return replace(record, start=changed(record.start), decisions=decisions)


def test_the_data_is_json_whatever_the_agents_are_called(tmp_path):
    names = ["</script><script>alert(1)</script>", "<!--<script>", "\"'&\\ \u2028 é"]
    record = play(tmp_path / "game.jsonl", "uno_all_wild", 3, names)
    page = to_html(record)
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(found[1]) == page_data(record)
    assert json.loads(found[1])["names"] == names
    assert page.count("<script") == page.count("</script>") == 2


def test_decisions_come_with_what_was_remarked_and_seats_by_their_numbers(tmp_path):
    record = play(tmp_path / "game.jsonl", "twice_the_fun", 4)
    steps = page_data(record)["steps"]
    aimed = 0
    assert "decided" not in steps[0]
    positions = [record.start, *(decision["snapshot"] for decision in record.decisions)]
    for step, before, decision in zip(steps[1:], positions, record.decisions, strict=False):
        told = step["decided"]
        assert told["seat"] == before["actor"]
        assert ("value" in told) == ("probabilities" in told) == ("probabilities" in decision)
        assert told["action"] in told.get("probabilities", [told["action"]])
        if decision["name"].startswith("seat_"):
            aimed += 1
            assert told["action"] == f"seat {(before['actor'] + int(decision['name'][5:])) % 4}"
    assert aimed


@pytest.mark.parametrize("episode", ["round", "match"])
def test_the_end_says_who_won_and_the_points(episode, tmp_path):
    record = play(tmp_path / "game.jsonl", "twits", 3, episode=episode, max_decisions=2000)
    last = record.decisions[-1]["snapshot"]
    end = page_data(record)["end"]
    assert end["winners"] == last["winners"] and end["winners"]
    assert end["points"] == last["round_points"] and len(end["points"]) == 3
    assert end["scores"] == (last["scores"] if episode == "match" else None)
    assert page_data(replace(record, decisions=record.decisions[:-1]))["end"] is None


def test_a_long_match_makes_a_small_page():
    record = load(max((GOLDEN / "twice_the_fun").glob("*10p-match*"), key=lambda path: path.stat().st_size))
    assert len(record.decisions) > 100
    assert len(to_html(record)) < 40_000 + 1_500 * len(record.decisions)


# --- in a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    if not (CHROMIUM and DRIVER):
        pytest.skip("chromium or chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument("--window-size=1300,850")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def watch(browser, tmp_path):
    """Opens the page of a replay; when the test is over, nothing may have failed or been asked from the network."""

    def open_page(record, at=""):
        path = tmp_path / "page.html"
        path.write_text(to_html(record), encoding="utf-8")
        browser.get("about:blank")
        browser.get(path.as_uri() + at)
        return browser

    yield open_page
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert asked
    assert all(url.startswith(("file:", "data:", "about:")) for url in asked)


def step_of(driver):
    return int(driver.find_element(By.ID, "place").text.split(" / ")[0])


def press(driver, key):
    driver.find_element(By.TAG_NAME, "body").send_keys(key)


def cards_of(driver, seat):
    """The names of cards in a hand, and what it is called for those who do not see it."""
    hand = driver.find_element(By.CSS_SELECTOR, f'.seat[data-seat="{seat}"] .hand')
    titles = hand.find_elements(By.TAG_NAME, "title")
    return [title.get_attribute("textContent") for title in titles], hand.get_attribute("aria-label")


def hash_of(driver, expected):
    WebDriverWait(driver, 5).until(lambda _: driver.execute_script("return location.hash") == expected)


LINES = """
    const lines = [...document.querySelectorAll("#events li")];
    const now = document.querySelectorAll("#events li.now").length;
    return [lines.length, now, lines.slice(lines.length - now).every((line) => line.className === "now")];
"""


@pytest.mark.parametrize(("name", "players"), [(name, 2) for name in games.VERSIONS] + [("uno_all_wild", 10)])
def test_a_game_is_watched_to_its_end_and_back(name, players, watch, tmp_path):
    agents = [f"agent {seat}" for seat in range(players)]
    record = play(tmp_path / "game.jsonl", name, players, agents, max_decisions=90)
    driver, told = watch(record), 0
    for step in range(len(record.decisions) + 1):
        lines, new, are_last = driver.execute_script(LINES)
        assert (step_of(driver), lines) == (step, told + new) and are_last
        told = lines
        if step < len(record.decisions):
            driver.find_element(By.ID, "forward").click()
    assert told == sum(len(parts[-1]) for parts in shown(page_data(record), None))
    assert not driver.find_element(By.ID, "forward").is_enabled()
    end = record.decisions[-1]["snapshot"]
    winners = [f"agent {seat}" for seat in end["winners"] or ()] or ["cut off"]
    assert all(name in driver.find_element(By.ID, "winners").text for name in winners)
    driver.find_element(By.ID, "back").click()
    assert step_of(driver) == len(record.decisions) - 1
    assert not driver.find_element(By.ID, "end").is_displayed()


def test_a_seats_view_shows_no_other_hand(watch, tmp_path):
    record = play(tmp_path / "game.jsonl", "twice_the_fun", 4)
    driver = watch(record, "#4")
    position = record.decisions[3]["snapshot"]
    for seat in range(4):
        names, label = cards_of(driver, seat)
        assert len(names) == sum(position["hands"][seat].values()) and "face down" not in label
    for viewer in (1, 3):
        Select(driver.find_element(By.ID, "viewer")).select_by_value(str(viewer))
        for seat in range(4):
            names, label = cards_of(driver, seat)
            count = sum(position["hands"][seat].values())
            if seat == viewer:
                assert len(names) == count
            else:
                assert (names, label) == ([], f"hand: {count} × face down")
        hash_of(driver, f"#4,seat={viewer}")


def test_what_an_agent_thought_is_seen_by_itself_and_at_the_open_table(watch, tmp_path):
    record = play(tmp_path / "game.jsonl", "uno_all_wild", 3)
    actors = [record.start["actor"], *(decision["snapshot"]["actor"] for decision in record.decisions)]
    number = next(i for i, d in enumerate(record.decisions) if len(d.get("probabilities", ())) > 2)
    driver = watch(record, f"#{number + 1}")
    thoughts = record.decisions[number]["probabilities"]
    assert len(driver.find_elements(By.CSS_SELECTOR, "#bars li")) == len(thoughts)
    chosen = driver.find_elements(By.CSS_SELECTOR, "#bars .chosen > span:first-child")
    name = record.decisions[number]["name"].replace("_", " ")
    assert [bar.get_attribute("textContent") for bar in chosen] == [f"✓ {name} (chosen)"]
    assert driver.find_element(By.ID, "value").text == "value −0.25"
    for viewer in range(3):
        Select(driver.find_element(By.ID, "viewer")).select_by_value(str(viewer))
        assert driver.find_element(By.ID, "decided").is_displayed() == (viewer == actors[number])


def test_keys_links_lines_and_playing(watch, tmp_path):
    record = play(tmp_path / "game.jsonl", "twits", 3)
    driver, last = watch(record), len(record.decisions)
    for key, step in (
        (Keys.ARROW_RIGHT, 1),
        (Keys.ARROW_RIGHT, 2),
        (Keys.ARROW_LEFT, 1),
        (Keys.END, last),
        (Keys.HOME, 0),
    ):
        press(driver, key)
        assert step_of(driver) == step
    hash_of(driver, "#0")
    driver.execute_script("location.hash = '#7,seat=2'")
    WebDriverWait(driver, 5).until(lambda _: step_of(driver) == 7)
    assert driver.find_element(By.ID, "viewer").get_attribute("value") == "2"
    driver.find_element(By.CSS_SELECTOR, "#events li button").click()
    assert step_of(driver) == 0
    driver.find_element(By.ID, "slider").send_keys(Keys.ARROW_RIGHT)
    assert step_of(driver) == 1
    Select(driver.find_element(By.ID, "speed")).select_by_value("10")
    press(driver, Keys.SPACE)
    assert driver.find_element(By.ID, "play").get_attribute("aria-label") == "pause"
    WebDriverWait(driver, 10).until(lambda _: step_of(driver) >= 4)
    driver.find_element(By.ID, "play").click()
    stopped = step_of(driver)
    time.sleep(0.4)
    assert step_of(driver) == stopped < last
    press(driver, Keys.SPACE)  # on the button, which it presses
    WebDriverWait(driver, 30).until(lambda _: step_of(driver) == last)
    assert driver.find_element(By.ID, "play").get_attribute("aria-label") == "play"


def test_every_control_has_a_name_and_the_page_fits_a_phone(watch, tmp_path):
    driver = watch(play(tmp_path / "game.jsonl", "uno_all_wild", 10))
    for control in driver.find_elements(By.CSS_SELECTOR, "#controls button, #controls select, #controls input"):
        assert control.get_attribute("aria-label")
    metrics = {"width": 375, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        WebDriverWait(driver, 5).until(lambda _: driver.execute_script("return innerWidth") == 375)
        assert driver.execute_script("return document.documentElement.scrollWidth") == 375
        plates = driver.find_elements(By.CSS_SELECTOR, ".plate")
        assert len(plates) == 10
        assert all(plate.rect["x"] >= 0 and plate.rect["x"] + plate.rect["width"] <= 375 for plate in plates)
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
