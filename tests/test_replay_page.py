"""The page of a replay: its data, and a person who clicks through it in a real browser."""

import json
import shutil
import time

import pytest

from cardenvs import BatchGame, games, replay
from cardenvs.core.portrayal import HIDDEN
from cardenvs.render.journal import Journal
from cardenvs.replay.page import page_data
from tests.tables import every_game

CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")


def played(tmp_path, name, num_players, seed=3, agents=(), remark=False):
    """A replay of a game of the strongest scripted players."""
    game = BatchGame(name, seed=seed, num_players=num_players)
    journal, policy = Journal(game), game.game.policies[-1]
    while game.actor[0] >= 0:
        if remark:
            legal = journal.position["legal"]
            journal.remark(probabilities={action: 1 / len(legal) for action in legal}, value=0.5)
        game.step(game.advise(policy))
    return replay.load(replay.save(tmp_path / "game.jsonl", journal, agents))


@pytest.mark.parametrize("num_players", [2, 5])
@every_game
def test_views_of_a_seat_hold_no_card_of_another_hand(name, num_players, tmp_path):
    if num_players > games.get(name).players[1]:
        pytest.skip(f"{name} is for fewer")
    kept = played(tmp_path, name, num_players)
    data = page_data(kept)
    assert len(data["steps"]) == len(kept.decisions) + 1
    for step, position in zip(data["steps"], [kept.start, *(d["snapshot"] for d in kept.decisions)], strict=True):
        assert len(step["views"]) == 1 + num_players
        for viewer, view in enumerate(step["views"], -1):
            for owner, number in enumerate(view["seats"]):
                hand = data["parts"][number]["hand"]
                if viewer in (-1, owner):
                    assert hand == (position["hands"][owner] if "hands" in position else {})
                else:
                    assert set(hand) <= {HIDDEN}


def test_a_page_is_whole_whatever_names_hold(tmp_path):
    kept = played(tmp_path, "twits", 2, agents=['</script><b>"&', "x"])
    page = replay.to_html(kept)
    data = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    assert json.loads(data)["names"][0] == '</script><b>"&'
    assert "http" not in page.split("<script>")[0] and "/*data*/" not in page


@pytest.fixture(scope="module")
def browser():
    if not (CHROMIUM and DRIVER):
        pytest.skip("there is no chromium with its driver on this machine")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    yield driver
    driver.quit()


def open_page(browser, tmp_path, kept, hash=""):
    path = tmp_path / "game.html"
    path.write_text(replay.to_html(kept), encoding="utf-8")
    browser.get("about:blank")
    browser.get(f"file://{path}{hash}")


def of(browser, selector):
    return browser.find_elements("css selector", selector)


def shown_text(browser, selector):
    return browser.find_element("css selector", selector).text


def counter(browser):
    return int(shown_text(browser, "#count").split(" / ")[0])


def cards_at(browser, seat):
    return {use.get_attribute("href") for use in of(browser, f'.seat[data-seat="{seat}"] use')}


@pytest.mark.parametrize(
    ("name", "num_players"), [("uno_all_wild", 10), ("twice_the_fun", 4), ("twits", 3), ("wild_twists", 2)]
)
def test_a_game_can_be_clicked_through(name, num_players, browser, tmp_path):
    kept = played(tmp_path, name, num_players, agents=[f"agent {seat}" for seat in range(num_players)])
    open_page(browser, tmp_path, kept)
    last, clicks = len(kept.decisions), min(len(kept.decisions), 40)
    forward, back = (browser.find_element("id", name) for name in ("forward", "back"))
    assert counter(browser) == 0 and not back.is_enabled()
    for number in range(1, clicks + 1):
        forward.click()
        assert counter(browser) == number
    back.click()
    assert counter(browser) == clicks - 1
    browser.find_element("id", "last").click()
    assert counter(browser) == last and not forward.is_enabled()
    assert "over" in shown_text(browser, "#question")
    assert len(of(browser, ".seat")) == num_players and len(of(browser, "#events li")) > last / 2
    browser.find_element("id", "first").click()
    assert counter(browser) == 0
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    asked = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [each["params"]["request"]["url"] for each in asked if each["method"] == "Network.requestWillBeSent"]
    assert not [url for url in urls if not url.startswith(("file:", "data:", "about:"))]


def test_a_seat_sees_its_own_cards_alone(browser, tmp_path):
    from selenium.webdriver.support.ui import Select

    kept = played(tmp_path, "twice_the_fun", 4)
    open_page(browser, tmp_path, kept, "#12")
    assert all(cards_at(browser, seat) - {"#c-?"} for seat in range(4))
    Select(browser.find_element("id", "viewer")).select_by_value("2")
    assert cards_at(browser, 1) - {"#c-?"} and browser.current_url.endswith("#12,seat=1")
    assert [cards_at(browser, seat) for seat in (0, 2, 3)] == [{"#c-?"}] * 3


def test_keys_links_and_playing(browser, tmp_path):
    from selenium.webdriver import Keys
    from selenium.webdriver.support.ui import Select

    kept = played(tmp_path, "twits", 3)
    open_page(browser, tmp_path, kept, "#7,seat=2")
    assert counter(browser) == 7 and Select(browser.find_element("id", "viewer")).first_selected_option.text == "seat 2"
    page = browser.find_element("css selector", "body")
    for key, step in ((Keys.ARROW_RIGHT, 8), (Keys.ARROW_LEFT, 7), (Keys.END, len(kept.decisions)), (Keys.HOME, 0)):
        page.send_keys(key)
        assert counter(browser) == step
    browser.execute_script("location.hash = '#5'")
    time.sleep(0.3)
    assert counter(browser) == 5
    Select(browser.find_element("id", "speed")).select_by_value("120")
    browser.find_element("id", "play").click()
    time.sleep(1.5)
    browser.find_element("id", "play").click()
    stopped = counter(browser)
    assert stopped > 8
    time.sleep(0.5)
    assert counter(browser) == stopped
    of(browser, "#events .text")[2].click()
    assert counter(browser) < stopped
    of(browser, "#events .rule")[0].click()
    assert shown_text(browser, "#events p").startswith("All cards are shuffled")


def test_what_an_agent_thought_is_shown_to_who_may_know(browser, tmp_path):
    kept = played(tmp_path, "twits", 2, remark=True)
    open_page(browser, tmp_path, kept, "#1")
    assert "decided, expecting +0.50" in shown_text(browser, "#thoughts")
    assert len(of(browser, "#thoughts tr.chosen")) == 1 and len(of(browser, "#thoughts tr")) == len(kept.start["legal"])
    other = 1 - kept.start["actor"]
    open_page(browser, tmp_path, kept, f"#1,seat={other}")
    assert not of(browser, "#thoughts tr")
